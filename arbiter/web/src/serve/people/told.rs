//! What a page is told of a table, as JSON.

use serde::Serialize;

use person::offered::Offered;

/// What a page is told of a table: what the person's seat may know, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sight {
    /// Grows with every change.
    pub version: u64,
    /// How far the game is.
    pub stage: Stage,
    /// The name of the game.
    pub game: String,
    /// The seat of the person.
    pub seat: usize,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// What the referee has committed to before the first card.
    pub commitment: String,
    /// The lines of the view of the person's seat; none before the first card.
    pub view: Vec<String>,
    /// What has happened, in words.
    pub story: Story,
    /// What the person is asked, where they are.
    pub turn: Option<Turn>,
    /// The seat of the bot that is asked, where one is.
    pub thinking: Option<usize>,
    /// How the game ended, once it is over.
    pub ending: Option<Ending>,
    /// Why nothing more is played, where the game has no end.
    pub why: Option<String>,
}

/// How far the game at a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The bots are being started.
    Starting,
    /// It is played.
    Playing,
    /// It is over, and its log is being verified.
    Verifying,
    /// It is over.
    Over,
    /// The person has left it.
    Left,
    /// It cannot be played.
    Failed,
}

impl Stage {
    /// Whether nothing more happens.
    pub fn is_last(self) -> bool {
        matches!(self, Stage::Over | Stage::Left | Stage::Failed)
    }
}

/// A part of what has happened, as the person's seat was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// The number of the first line, from 0.
    pub from: usize,
    /// The lines.
    pub lines: Vec<String>,
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Which turn of the person's it is at this table, from 1.
    pub number: u64,
    /// What they are asked for; empty where it is a matter of course.
    pub question: String,
    /// The legal moves that are listed.
    pub moves: Vec<TurnMove>,
    /// Whether there are more, which can be played, too.
    pub more: bool,
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnMove {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The same as a sentence.
    pub words: String,
}

impl Turn {
    pub(super) fn new(number: u64, offered: Offered) -> Turn {
        let moves = offered.moves.into_iter();
        Turn {
            number,
            question: offered.question,
            moves: moves.map(|it| TurnMove { text: it.text, words: it.words }).collect(),
            more: offered.has_more,
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// Whether the person has won or lost, a sentence.
    pub verdict: Option<String>,
    /// Who has how many points, a line.
    pub result: String,
    /// The cards that each seat holds, by seat: all hands are open now.
    pub hands: Vec<Vec<String>>,
    /// What was hidden from the person, in lines.
    pub cards: Vec<String>,
    /// The name of the log's file.
    pub log: String,
    /// Whether the log can be loaded: not where a bot wrote to standard error, which is for its author.
    pub can_be_loaded: bool,
    /// The seed, which is no longer a secret; none before the log is closed.
    pub seed: Option<String>,
    /// What became of the log, once it was verified.
    pub proof: Option<Proof>,
}

/// What a log proves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// It was verified; this is its head.
    Head(String),
    /// It is wrong, for this reason.
    Wrong(String),
}
