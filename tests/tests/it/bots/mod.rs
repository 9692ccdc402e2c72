//! Bots before they play: checked, built, begun from a starter, named.

mod asks_for_more;
mod build;
mod check;
mod grants;
mod new;
mod participants;
mod resident;
mod sandbox;
