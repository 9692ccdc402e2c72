//! The commands: their JSON, and mistakes of authors.

mod json;
mod mistakes;
