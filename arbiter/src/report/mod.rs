//! What a person or a program is shown of a match: as running text, as a summary, as JSON.

pub mod json;
pub mod progress;
pub mod summary;
pub mod text;
