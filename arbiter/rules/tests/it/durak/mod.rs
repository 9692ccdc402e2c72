//! Durak.

mod bouts;
mod ends;
mod properties;
mod protocol;
mod scene;
mod worlds;
