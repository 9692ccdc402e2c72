//! What is served, without a network.

mod people;
mod seats;
