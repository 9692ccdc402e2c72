//! Bots of strangers, unpacked or refused.

mod archives;
mod made;
mod properties;
mod refusals;
mod taken;
