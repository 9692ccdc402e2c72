//! Players of the games, as a library; each program of this package is a few lines around it.
//!
//! A [`Player`] answers typed requests of one game; [`Players`] gives each of them by its name. A
//! [`Program`] is one name in all games. A type that [`ProgramPlayers`] has the players of one program, and
//! [`serve()`] reads requests and prints moves. What a player knows of a game lies in the folder of
//! that game; [`programs`] is the list of games and programs, each of them whole, and the crate
//! [`search`] holds the parts of a search that fit any game. No game uses parts of another.
//! [`review`] values the moves of a request.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of players and their parts say the most")]

pub mod coup;
pub mod durak;
pub mod options;
pub mod player;
pub mod program;
pub mod programs;
pub mod review;
pub mod tablic;

pub use options::BadOption;
pub use player::{
    AnyGamePlayer, AnyPlayer, CutOff, NoMove, Player, PlayerError, Players, RequestPart, playing,
};
pub use program::{Program, ProgramPlayers, serve};
