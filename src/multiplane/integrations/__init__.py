"""multiplane in other programs: spaCy and Ray. Each needs an extra of the same name."""
