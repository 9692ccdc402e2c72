//! The program `arbiter`: a thin shell around the library.

fn main() {}
