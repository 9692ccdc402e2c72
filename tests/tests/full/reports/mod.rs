//! The web pages that `arbiter report` writes.

mod people;
mod report;
mod voice;
