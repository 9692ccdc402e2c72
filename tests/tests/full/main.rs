//! x

mod misbehaviour;
