//! The content of the page of a table, as JSON.

use games::ViewKeys;
use serde::Serialize;

use person::move_list::OfferedMoves;

/// The content of the page of a table: all that the person's seat may know, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableView {
    /// Grows with every change.
    pub version: u64,
    pub stage: GameStage,
    /// The name of the game.
    pub game: String,
    /// The keys of the view that are drawn, of a custom game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<ViewKeys>,
    /// The seat of the person.
    pub seat: usize,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The commitment of the referee, made before the first card.
    pub commitment: String,
    /// The lines of the view of the person's seat; none before the first card.
    pub view: Vec<String>,
    /// The events so far, in words.
    pub story: TableLines,
    /// The events so far, as the person's seat saw them.
    pub events: TableLines,
    /// The question to the person, if there is one.
    pub turn: Option<Question>,
    /// The seat of the bot that is asked, if one is.
    pub thinking: Option<usize>,
    /// The time that the seat has left that is asked, in milliseconds; none where no limit holds.
    pub left_ms: Option<u64>,
    /// The end of the game, once it is over.
    pub ending: Option<GameEnding>,
    /// The reason why nothing more is played, if the game has no end.
    pub why: Option<String>,
}

/// The stage of the game at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameStage {
    /// The bots are being started.
    Starting,
    Playing,
    /// It is over, and its log is being verified.
    Verifying,
    Over,
    /// The person has left it.
    Left,
    /// It cannot be played.
    Failed,
}

impl GameStage {
    /// Returns true if nothing more happens.
    pub fn is_last(self) -> bool {
        matches!(self, GameStage::Over | GameStage::Left | GameStage::Failed)
    }
}

/// A part of the events, as the person's seat was told of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableLines {
    /// The number of the first line, from 0.
    pub from: usize,
    pub lines: Vec<String>,
}

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The number of this turn of the person's at this table, from 1.
    pub number: u64,
    /// The question; empty where it is a matter of course.
    pub question: String,
    /// The legal moves that are listed.
    pub moves: Vec<QuestionMove>,
    /// True if there are more moves, which can be played, too.
    pub more: bool,
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionMove {
    #[serde(rename = "move")]
    pub text: String,
    /// The move as a sentence; of a custom game its text.
    pub words: String,
}

impl TableLines {
    /// Those of these lines that a page does not have yet.
    pub(super) fn after(known: usize, all: &[String]) -> TableLines {
        let from = known.min(all.len());
        TableLines { from, lines: all[from..].to_vec() }
    }
}

impl Question {
    pub(super) fn new(number: u64, offered: OfferedMoves) -> Question {
        let moves = offered.moves.into_iter();
        Question {
            number,
            question: offered.question,
            moves: moves.map(|it| QuestionMove { text: it.text, words: it.words }).collect(),
            more: offered.has_more,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameEnding {
    /// A sentence that says if the person has won or lost.
    pub verdict: Option<String>,
    /// The points of all players, a line.
    pub result: String,
    /// The points by seat.
    pub scores: Vec<String>,
    /// The cards that each seat holds, by seat: all hands are open now.
    pub hands: Vec<Vec<String>>,
    /// The cards that were hidden from the person, in lines.
    pub cards: Vec<String>,
    /// The name of the log's file.
    pub log: String,
    /// False if a bot wrote to standard error, which is for its author: then the log cannot be loaded.
    pub can_be_loaded: bool,
    /// The seed, which is no longer a secret; none before the log is closed.
    pub seed: Option<String>,
    /// The verdict on the log, once it was verified.
    pub proof: Option<LogVerdict>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogVerdict {
    /// It was verified; this is its head.
    Head(String),
    /// It is wrong, for this reason.
    Wrong(String),
}
