//! The pages of `arbiter serve`.

mod pages;
mod published;
