//! The web pages that `arbiter report` writes.

mod commands;
