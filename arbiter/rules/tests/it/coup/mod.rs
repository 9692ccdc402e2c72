//! Coup.

mod classic;
mod lenient;
mod properties;
mod protocol;
mod random_games;
mod replay;
mod rules;
mod scene;
mod vectors;
mod worlds;
