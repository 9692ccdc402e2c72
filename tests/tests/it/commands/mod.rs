//! The commands: their output, what they accept and refuse, and what the documents say of them.

mod completions;
mod copied;
mod english;
mod messages;
mod output;
mod reasons;
mod short_seeds;
mod stopped;
mod usage;
