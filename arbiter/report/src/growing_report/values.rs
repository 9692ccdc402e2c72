//! The report of a log as values for programs: what pages show, as JSON.

use std::collections::{BTreeMap, BTreeSet};

use bot::FileDigest;
use contest::tournament::folder::RefusedBot;
use record::stderr_texts::StderrVisibility;
use serde_json::{Map, Value, json};
use series::PlayerLine;
use standings::{HeadToHead, Row};
use text::shell::{without_folders, word};

use super::{Disclosure, GrowingReport};
use crate::figures::{BotFault, BotFigures, QUANTILES, SeatTotals};
use crate::game_line::{GameDetails, GameKey, add_left_out, view_keys};
use crate::html::layout::title;
use crate::reading::{SourceReport, SourceState};
use crate::report_folder::ReportError;

/// The number of games after which no more of a list are looked at for one answer.
const LOOKED_AT: usize = 500;

/// The games of a list that are asked for.
#[derive(Debug, Clone, Default)]
pub struct GamesFilter {
    /// The attempt before the first of them.
    pub after: Option<GameKey>,
    pub most: usize,
    /// Only games with one of these bots, by their places in the log.
    pub bots: Option<BTreeSet<usize>>,
    /// Only games with one of these bots at another seat.
    pub against: Option<BTreeSet<usize>>,
}

impl GamesFilter {
    /// Returns true if a game between the bots at these seats is asked for.
    fn is_between(&self, seats: &[usize]) -> bool {
        let is_in = |bots: &Option<BTreeSet<usize>>, seat: &usize| {
            bots.as_ref().is_none_or(|bots| bots.contains(seat))
        };
        let has_other = |own: usize| {
            let mut others = seats.iter().enumerate().filter(|(place, _)| *place != own);
            self.against.is_none() || others.any(|(_, seat)| is_in(&self.against, seat))
        };
        let mut own = seats.iter().enumerate().filter(|(_, seat)| is_in(&self.bots, seat));
        own.any(|(place, _)| has_other(place))
    }
}

/// Some games of a list.
#[derive(Debug, Default)]
pub struct GameRows {
    pub names: Vec<String>,
    pub games: Vec<Value>,
    /// The attempt to go on after; none at the end of the log.
    pub next: Option<GameKey>,
}

#[derive(Debug)]
pub enum GameLookup {
    Game(Value),
    /// The log has no such game.
    Missing,
    /// The log has not been read to its end.
    NotYet,
}

impl SourceReport {
    /// The source: its state, its numbers, and its bots by name.
    pub fn about(&self) -> Value {
        let header = self.series.header();
        json!({
            "name": title(self),
            "state": state(self),
            "game": header.game,
            "options": header.options,
            "seats": self.series.seats(),
            "games": header.games,
            "played": self.progress.played(),
            "skipped": self.progress.skipped(),
            "played_again": self.totals.played_again(),
            "suspect_games": self.totals.suspect().len(),
            "commitment": header.commitment,
            "head": self.head,
            "log": word(&self.path),
            "names": self.names().collect::<Vec<_>>(),
        })
    }

    /// All bots, in the order of the log.
    pub fn bots(&self) -> Vec<Value> {
        let rows = self.standings.get().all.rows.iter();
        let rows: BTreeMap<&str, &Row> = rows.map(|row| (row.name.as_str(), row)).collect();
        let bots = self.names().enumerate();
        bots.map(|(place, name)| Value::Object(bot(self, place, rows.get(name).copied()))).collect()
    }

    /// The bot of this name, with its results against others and its figures.
    pub fn bot(&self, name: &str) -> Option<Value> {
        let place = self.names().position(|known| known == name)?;
        let view = &self.standings.get().all;
        let row = view.rows.iter().position(|row| row.name == name);
        let against: Vec<HeadToHead> = match row {
            Some(row) => {
                (0..view.rows.len()).filter_map(|other| view.pairing(row, other)).collect()
            }
            None => Vec::new(),
        };
        let mut told = bot(self, place, row.map(|row| &view.rows[row]));
        told.insert("against".to_owned(), json!(against));
        told.insert("setup".to_owned(), setup(self.series.header().players.get(place)?));
        told.extend(figures(self.figures.bots.get(place)?));
        Some(Value::Object(told))
    }
}

impl GrowingReport {
    pub fn game_name(&self) -> &str {
        &self.reader.fold().series().header().game
    }

    /// The names of the bots, in the order of the log.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let players = &self.reader.fold().series().header().players;
        players.iter().map(|player| player.name.as_str())
    }

    /// The submissions that were refused before the first game, from this one on.
    pub fn refused(&self, first: usize) -> impl Iterator<Item = (u64, Value)> {
        let refused = (0..).zip(self.reader.refused()).skip(first);
        refused.map(|(number, RefusedBot { folder, why, .. })| {
            (number, json!({ "number": number, "name": folder, "why": without_folders(why) }))
        })
    }

    /// Some games of the list. Looks at a number of games that has a bound, so there may be none on the way.
    pub fn rows(&self, asked: &GamesFilter) -> Result<GameRows, ReportError> {
        let first = asked.after.map_or(0, |after| self.piece_of(after));
        let mut rows =
            GameRows { names: self.names().map(str::to_owned).collect(), ..GameRows::default() };
        let (mut looked_at, mut last) = (0, asked.after);
        for piece in self.pieces.get(first..).unwrap_or_default() {
            if rows.games.len() >= asked.most || looked_at >= LOOKED_AT {
                break;
            }
            looked_at += piece.games;
            self.reread_games(
                &piece.mark,
                piece.games,
                StderrVisibility::Hidden,
                &mut |_, heading| {
                    let key = heading.key();
                    if rows.games.len() < asked.most && last.is_none_or(|last| key > last) {
                        last = Some(key);
                        if asked.is_between(heading.seats()) {
                            rows.games.push(json!(heading));
                        }
                    }
                    Ok(())
                },
            )?;
        }
        let is_end = self.reader.is_up_to_date && last >= self.last;
        rows.next = last.filter(|_| !is_end);
        Ok(rows)
    }

    /// A game with its steps: this attempt, or the last one.
    pub fn game(
        &self,
        number: u64,
        attempt: Option<u32>,
        disclosed: Disclosure,
    ) -> Result<GameLookup, ReportError> {
        let covered = self.first_covered_deal(disclosed.hands);
        let key = GameKey { number, attempt: attempt.unwrap_or(u32::MAX) };
        let mut found: Option<GameDetails> = None;
        if let Some(piece) = self.pieces.get(self.piece_of(key)) {
            self.reread_games(&piece.mark, piece.games, disclosed.errors, &mut |game, heading| {
                let GameKey { number: this, attempt: of } = heading.key();
                if this == number && attempt.is_none_or(|attempt| of == attempt) {
                    found = Some(self.disclosed(game, heading, covered)?);
                }
                Ok(())
            })?;
        }
        Ok(match found {
            Some(line) => GameLookup::Game(self.with_names(&line)),
            None if !self.reader.is_up_to_date => GameLookup::NotYet,
            None => GameLookup::Missing,
        })
    }

    /// A game as the viewer gets it, with all that the viewer has from the index of the report.
    fn with_names(&self, line: &GameDetails) -> Value {
        let series = self.reader.fold().series();
        let header = series.header();
        let names: Vec<_> = self.names().collect();
        let mut told = json!({ "game": header.game, "options": header.options, "names": names, "played": line });
        add_left_out(&mut told["played"]);
        if let Some(keys) = view_keys(series.kind()) {
            told["own"] = json!(keys);
        }
        told
    }
}

fn state(reading: &SourceReport) -> &'static str {
    match reading.state {
        SourceState::Over { .. } => "over",
        SourceState::Running => "running",
        SourceState::Reading => "being read",
        SourceState::Left { .. } => "left",
        SourceState::Continued => "extended",
        SourceState::Unfinished => "not running",
    }
}

/// A bot as it stands in a list.
fn bot(reading: &SourceReport, place: usize, row: Option<&Row>) -> Map<String, Value> {
    let player = &reading.series.header().players[place];
    let command = (!player.is_person()).then(|| without_folders(&player.command));
    object(json!({
        "name": player.name,
        "command": command,
        "out_after": reading.progress.out_after(place),
        "row": row,
    }))
}

/// The conditions under which a bot plays.
fn setup(player: &PlayerLine) -> Value {
    let PlayerLine { files, dialect, mode, limits, granted, .. } = player;
    let file =
        |file: &FileDigest| json!({ "word": without_folders(&file.word), "sha256": file.sha256 });
    let read = granted.read.iter().map(|path| without_folders(path));
    json!({
        "dialect": dialect.name(),
        "mode": mode.name(),
        "files": files.iter().map(file).collect::<Vec<_>>(),
        "limits": limits.in_words(),
        "granted": {
            "read": read.collect::<Vec<_>>(),
            "device": granted.device,
            "network": granted.network,
        },
    })
}

/// The figures of a bot: its answers by verdict, their times, its points by seat, its faults and its notes.
fn figures(figures: &BotFigures) -> Map<String, Value> {
    let fault = |fault: &BotFault| {
        json!({
            "game": fault.game,
            "attempt": fault.attempt,
            "deal": fault.deal,
            "move": fault.number,
            "step": fault.step,
            "verdict": fault.verdict,
            "detail": fault.detail,
        })
    };
    let times: Map<String, Value> = QUANTILES
        .iter()
        .map(|(name, share)| ((*name).to_owned(), json!(figures.quantile(*share))))
        .collect();
    let seat = |seat: &SeatTotals| json!({ "games": seat.games, "points": seat.mean() });
    let notes = figures.noted.keys().map(|(key, numbers)| {
        json!({
            "key": key.as_str(),
            "answers": numbers.answers,
            "mean": numbers.mean,
            "least": numbers.least,
            "most": numbers.most,
        })
    });
    object(json!({
        "answers": figures.answers(),
        "verdicts": figures.verdicts,
        "ms": times,
        "seats": figures.seats.iter().map(seat).collect::<Vec<_>>(),
        "faults": figures.faults.iter().map(fault).collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
    }))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
