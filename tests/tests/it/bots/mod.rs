//! Bots before they play: checked, built, begun from a starter, named.

mod asks_for_more;
mod build;
mod check;
mod grants;
mod growing_bot;
mod isolated_build;
mod leads;
mod libraries;
mod masked;
mod missed;
mod names;
mod new;
mod newer_sources;
mod one_program;
mod participants;
mod pitfalls;
mod resident;
mod sandbox;
mod starter_answers;
