//! The commands: their JSON, mistakes of authors, and the wheel.

mod json;
mod mistakes;
mod wheel;
