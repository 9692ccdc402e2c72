//! Bots before they play: in other languages, seen by others, found wrong.

mod check_modes;
mod first_bot;
mod isolated_build;
mod leads;
mod libraries;
mod masked;
mod missed;
mod names;
mod new;
mod newer_sources;
mod one_program;
mod pitfalls;
