//! Why a game cannot be opened.

use thiserror::Error;

use crate::manifest::MANIFEST;

/// A game that cannot be opened; one line.
#[derive(Debug, Error)]
pub enum NotGame {
    #[error(
        "unknown game `{0}`: use a built-in game (see `arbiter games`), a folder with a \
         {MANIFEST}, a .wasm file or a command such as \"python3 game.py\""
    )]
    NotFound(String),
    #[error("{MANIFEST} of game `{game}`: {problem}")]
    Manifest { game: String, problem: String },
    #[error("cannot read `{path}` of the game: {problem}")]
    Unreadable { path: String, problem: String },
    #[error("game `{game}`: `{module}` not built: run {build}")]
    NotBuilt { module: String, game: String, build: String },
    #[error("module of game `{game}`: {problem}")]
    Module { game: String, problem: String },
    #[error("game `{game}`: {problem}")]
    Machine { game: String, problem: String },
    #[error("game `{game}`: {problem}")]
    Program { game: String, problem: String },
}
