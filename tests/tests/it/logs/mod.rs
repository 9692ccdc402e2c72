//! Logs: what is written, what was changed in them, and what is made of them.

mod chain;
mod disputes;
mod export;
mod file;
mod follow;
mod forgery;
mod last;
mod review;
