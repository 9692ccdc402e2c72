//! All tests of this package, in one program.

#[cfg(unix)]
mod copying;
mod unpacking;
