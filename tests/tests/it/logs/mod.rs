//! Logs: what is written, what was changed in them, and what is made of them.

mod chain;
mod disputes;
mod export;
mod file;
mod findings;
mod follow;
mod forged_tournament;
mod forged_values;
mod forgery;
mod last;
mod lost;
mod obstacles;
mod rerun;
mod review;
mod same_logs;
mod spelling;
mod tampering;
