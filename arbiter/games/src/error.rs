//! Why a game cannot be opened.

use thiserror::Error;

use crate::manifest::MANIFEST;

/// A game that cannot be opened; one line.
#[derive(Debug, Error)]
pub enum NotGame {
    /// Nothing has this name.
    #[error(
        "game `{0}` not found, expected a built-in game (`arbiter games` lists them), a folder with a \
         {MANIFEST}, a file NAME.wasm or a command such as \"python3 game.py\""
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
    #[error("`{module}` of game `{game}` is not there; build it: {build}")]
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
