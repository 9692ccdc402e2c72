//! Bots of strangers, unpacked or refused.

mod archives;
mod made;
mod refusals;
mod taken;
