//! Why a game cannot be opened.

use thiserror::Error;

use crate::manifest::MANIFEST;

/// A game that cannot be opened; one line.
#[derive(Debug, Error)]
pub enum NotGame {
    /// Nothing has this name.
    #[error(
        "unknown game `{0}`: use a built-in game (see `arbiter games`), a folder with a \
         {MANIFEST}, a .wasm file or a command such as \"python3 game.py\""
    )]
    NotFound(String),
    /// The manifest is not as it must be.
    #[error("{MANIFEST} of game `{game}`: {problem}")]
    Manifest {
        /// The game.
        game: String,
        /// The problem.
        problem: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{path}` of the game: {problem}")]
    Unreadable {
        /// The file.
        path: String,
        /// The error of the system.
        problem: String,
    },
    /// The module was not built.
    #[error("game `{game}`: `{module}` not built: run {build}")]
    NotBuilt {
        /// The file.
        module: String,
        /// The game.
        game: String,
        /// The command that builds it.
        build: String,
    },
    /// It is no module of the kind that carries rules.
    #[error("module of game `{game}`: {problem}")]
    Module {
        /// The game.
        game: String,
        /// The problem.
        problem: String,
    },
    /// The machine has no room for a copy of its program.
    #[error("game `{game}`: {problem}")]
    Machine {
        /// The game.
        game: String,
        /// The problem.
        problem: String,
    },
    /// Its program is not found.
    #[error("game `{game}`: {problem}")]
    Program {
        /// The game.
        game: String,
        /// The problem.
        problem: String,
    },
}
