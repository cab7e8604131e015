"""Reports: data first, an immutable list of blocks; then renderers that turn the same blocks into HTML or Markdown."""
