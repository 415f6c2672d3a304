"""The BiLSTM of training computes what PyTorch's computes, and so do its gradients."""

import pytest

torch = pytest.importorskip("torch")

from multiplane.models.precision import in_half  # noqa: E402
from multiplane.training.bilstm import bilstm  # noqa: E402

LENGTHS = ([1], [7], [5, 5, 5], [9, 4, 4, 1], [30, 29, 2])
ENDS = ("", "_reverse")


def passes(lengths: list[int], *, half: bool) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """The output of both implementations, and the gradients of data and weights."""
    torch.manual_seed(len(lengths))
    reference = torch.nn.LSTM(6, 8, bidirectional=True)
    packed = torch.nn.utils.rnn.pack_sequence([torch.randn(length, 6) for length in lengths])
    data = packed.data.requires_grad_()
    with torch.no_grad():
        for end in ENDS:
            getattr(reference, f"bias_hh_l0{end}").zero_()
    names = [f"{name}_l0{end}" for end in ENDS for name in ("weight_ih", "weight_hh", "bias_ih")]
    weights = [getattr(reference, name) for name in names]
    wanted = torch.randn(sum(lengths), 16)

    def with_gradients(output: torch.Tensor) -> list[torch.Tensor]:
        return [output, *torch.autograd.grad((output * wanted).sum(), [data, *weights])]

    theirs = reference(torch.nn.utils.rnn.PackedSequence(data, packed.batch_sizes))[0].data
    ours = bilstm(data, packed.batch_sizes.tolist(), weights, half=half)
    return with_gradients(ours), with_gradients(theirs)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_outputs_and_gradients_are_those_of_torch(lengths: list[int]):
    for ours, theirs in zip(*passes(lengths, half=False), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_products_in_16_bits_change_little(lengths: list[int]):
    half, exact = passes(lengths, half=True)
    assert not torch.equal(half[0], exact[0])
    for ours, theirs in zip(half, exact, strict=True):
        assert ours.dtype == torch.float32
        assert (ours - theirs).norm() <= 0.02 * theirs.norm()


def test_data_without_gradient_get_none():
    data, weights = torch.ones(3, 2), [torch.randn(*shape) for shape in ((4, 2), (4, 1), (4,)) * 2]
    output = bilstm(data, [2, 1], [weight.requires_grad_() for weight in weights])
    output.sum().backward()
    assert data.grad is None
    assert all(weight.grad is not None for weight in weights)


def test_versions_of_torch_that_cannot_tell_train_with_32_bits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert not in_half("auto")
    assert in_half("bfloat16")
