//! The first and the last line of a log.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Not;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bot::grants::Grants;
use bot::manifest::ProgramMode;
use bot::sandboxed::Restrictions;
use bot::{BotSpec, Contender, FileDigest};
use rules::{Dialect, Digest, GameKind, GameTime, NotText, RulesLine, Score, Seed, TimeControl};
use sandbox::isolation::{Isolation, Layer};
use sandbox::{Limits, PonderPermission, Supervisor, in_header, milliseconds};
use serde::{Deserialize, Serialize};
use standings::pairing::tie_break::TieBreak;
use standings::{OutsideHelp, Sprt};
use text::failure::Failure;

use crate::conditions::{BotTreatment, Conditions, FaultLimit, FileRetention, SuspectGames};
use crate::schedule::ScheduleLine;

/// The version of the format of logs that this program writes and reads.
pub const FORMAT: u32 = 1;

/// The setup of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote the log.
    pub version: String,
    pub game: String,
    /// Its rules, if they are not compiled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesLine>,
    pub options: String,
    /// The number of games, if none is skipped.
    pub games: u64,
    /// The players: in game g of a match, seat s is taken by player (s + g) modulo their number.
    pub players: Vec<PlayerLine>,
    /// The schedule of a tournament or a simulation, and when it ends early; a match has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentLine>,
    /// Number of chances that a seat has after an answer that is illegal or malformed.
    pub retries: u32,
    /// Treatment of games that an overloaded machine may have decided.
    pub suspect_games: SuspectGames,
    /// Isolation of the bots on the machine that the log was begun on; not known of older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<IsolationLine>,
    /// Permission for resident bots to think while others have their turns.
    #[serde(default, skip_serializing_if = "PonderPermission::is_never")]
    pub ponder: PonderPermission,
    /// The players that answered; written `simulated`, `true` or `false`.
    #[serde(rename = "simulated", default, skip_serializing_if = "PlayerKind::is_usual")]
    pub answering: PlayerKind,
    /// The digest of the seed, published before the first card.
    pub commitment: Digest,
    /// The words that were mixed into the seed after the commitment, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entropy: Vec<String>,
}

impl Header {
    /// The header of a match of one game, under the usual conditions, that this program plays: the
    /// one place that says in which format and by which version a log is written.
    pub fn new(
        kind: &GameKind,
        options: String,
        players: Vec<PlayerLine>,
        commitment: Digest,
    ) -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: kind.name().to_owned(),
            rules: rules_line(kind, &options),
            options,
            games: 1,
            players,
            tournament: None,
            retries: 0,
            suspect_games: SuspectGames::Count,
            isolation: None,
            ponder: PonderPermission::Never,
            answering: PlayerKind::Programs,
            commitment,
            entropy: Vec::new(),
        }
    }

    /// The header of games that players of this process play, of which nothing is measured.
    pub fn in_process(
        kind: &GameKind,
        options: String,
        players: Vec<PlayerLine>,
        commitment: Digest,
        schedule: ScheduleLine,
        games: u64,
    ) -> Header {
        Header {
            games,
            tournament: Some(TournamentLine::new(schedule)),
            answering: PlayerKind::InProcess,
            ..Header::new(kind, options, players, commitment)
        }
    }

    /// The parts of the machine that one of the players was kept from.
    pub fn barriers(&self, player: &PlayerLine) -> Restrictions {
        let on = self.isolation.as_ref().map_or(&[][..], |isolation| &isolation.on);
        Restrictions::of_layers(on, player.granted.network)
    }

    /// Sets the conditions. Isolation and the limits of answers stand elsewhere in a header, and
    /// limits with each bot.
    pub fn under(self, conditions: &Conditions) -> Header {
        let Conditions {
            entropy,
            treatment,
            disqualify_after,
            sprt,
            tie_breaks,
            keep_files,
            isolation: _,
            limits: _,
        } = conditions;
        let BotTreatment { retries, suspect_games, ponder } = *treatment;
        let suspect_games = suspect_games.unwrap_or_default();
        let (disqualify_after, sprt, keep_files) = (*disqualify_after, *sprt, *keep_files);
        let tournament = self.tournament.map(|line| TournamentLine {
            disqualify_after,
            sprt,
            tie_breaks: tie_breaks.clone(),
            keep_files,
            ..line
        });
        let entropy = entropy.clone();
        Header { tournament, retries, suspect_games, ponder, entropy, ..self }
    }
}

/// The rules of a game, as a header names them where they are not compiled in.
fn rules_line(kind: &GameKind, options: &str) -> Option<RulesLine> {
    let seats = kind.seats(options).unwrap_or_default();
    kind.rules_id().map(|id| RulesLine { id, seats })
}

/// The players that answered in the games of a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum PlayerKind {
    /// Programs, or persons.
    #[default]
    Programs,
    /// Built-in players in the process of the referee, as in a simulation: nothing was measured of
    /// their answers, and no limit was enforced.
    InProcess,
}

impl PlayerKind {
    /// Returns true if it is as in most logs.
    fn is_usual(&self) -> bool {
        *self == PlayerKind::Programs
    }
}

impl From<bool> for PlayerKind {
    fn from(is_simulated: bool) -> PlayerKind {
        if is_simulated { PlayerKind::InProcess } else { PlayerKind::Programs }
    }
}

impl From<PlayerKind> for bool {
    fn from(answering: PlayerKind) -> bool {
        answering == PlayerKind::InProcess
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IsolationLine {
    pub asked: Isolation,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Layer>,
    /// The layers that the machine refuses, each with what it said.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<Layer, String>,
}

impl IsolationLine {
    /// The layers that this supervisor gives, if it can give anything.
    pub fn new(supervisor: Supervisor) -> Option<IsolationLine> {
        let layers = supervisor.layers().ok()?;
        let (on, refused) = (layers.on.clone(), layers.refused.iter().cloned().collect());
        Some(IsolationLine { asked: supervisor.isolation(), on, refused })
    }

    /// The missing layers, in words for a reader; none if all layers were on.
    pub fn missing(&self) -> Option<String> {
        if self.asked == Isolation::Off {
            return Some("off: bots could read and write what the user could".to_owned());
        }
        let names: Vec<&str> = self.refused.keys().map(|layer| layer.name()).collect();
        (!names.is_empty()).then(|| format!("on without {}", names.join(", ")))
    }
}

/// No game depends on it, so the same series may be played on machines that differ in it.
impl PartialEq for IsolationLine {
    fn eq(&self, _: &IsolationLine) -> bool {
        true
    }
}

/// Stands for the command of a person. No bot has it without a file beside it.
const PERSON: &str = "(person)";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerLine {
    pub name: String,
    /// Its command, as it was typed.
    pub command: String,
    /// The digests of the files in the command.
    pub files: Vec<FileDigest>,
    #[serde(default, skip_serializing_if = "is_native")]
    pub dialect: Dialect,
    #[serde(default, skip_serializing_if = "ProgramMode::is_usual")]
    pub mode: ProgramMode,
    /// Limits of each of its answers.
    #[serde(with = "in_header")]
    pub limits: Limits,
    /// Grants beyond its own files.
    #[serde(default, skip_serializing_if = "GrantsLine::is_empty")]
    pub granted: GrantsLine,
}

/// Grants of a bot; an older log has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantsLine {
    /// The files and folders that it could read, as absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// The devices that it could use, as absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device: Vec<String>,
    /// True if it could use the network.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub network: bool,
}

impl GrantsLine {
    pub fn for_bot(name: &str, grants: &Grants) -> GrantsLine {
        let (read, device) = (texts(&grants.readable(name)), texts(&grants.devices(name)));
        GrantsLine { read, device, network: grants.network(name) }
    }

    /// Returns true if it was nothing.
    pub fn is_empty(&self) -> bool {
        self.read.is_empty() && self.device.is_empty() && !self.network
    }

    /// Returns true if both are the same but for the folders in which the files and folders lie: the same plan
    /// can be played on machines with different home folders.
    pub fn is_same_elsewhere(&self, other: &GrantsLine) -> bool {
        fn names(granted: &GrantsLine) -> impl Iterator<Item = &str> {
            granted.read.iter().map(|path| path.rsplit('/').next().unwrap_or(path))
        }
        self.network == other.network && self.device == other.device && names(self).eq(names(other))
    }
}

impl PlayerLine {
    /// The way in which it may have received help from outside.
    pub fn outside_help(&self) -> Option<OutsideHelp> {
        match self.mode {
            ProgramMode::Remote => Some(OutsideHelp::Remote),
            _ => self.granted.network.then_some(OutsideHelp::Network),
        }
    }

    /// A person: no files, and limits of 0, which stand for none.
    pub fn person(name: &str) -> PlayerLine {
        PlayerLine {
            name: name.to_owned(),
            command: PERSON.to_owned(),
            files: Vec::new(),
            dialect: Dialect::Native,
            mode: ProgramMode::PerMove,
            limits: Limits::NONE,
            granted: GrantsLine::default(),
        }
    }

    /// A built-in player in the process of the referee, with this time in its requests, in
    /// milliseconds: no files and no limits.
    pub fn in_process(name: &str, command: &str, time_ms: u64) -> PlayerLine {
        PlayerLine {
            command: command.to_owned(),
            limits: Limits { time: Duration::from_millis(time_ms), ..Limits::NONE },
            ..PlayerLine::person(name)
        }
    }

    pub fn is_person(&self) -> bool {
        self.command == PERSON && self.files.is_empty()
    }

    pub fn time(&self) -> TimeControl {
        seat_time(&self.limits, self.mode)
    }

    /// The bot that it names.
    pub fn bot(&self) -> Result<BotSpec, Failure> {
        BotSpec::new(&self.name, &self.command, self.dialect, self.mode)
    }
}

impl From<&Contender> for PlayerLine {
    fn from(contender: &Contender) -> PlayerLine {
        PlayerLine {
            name: contender.name.clone(),
            command: contender.command.clone(),
            files: contender.digests(),
            dialect: contender.dialect,
            mode: contender.mode,
            limits: contender.limits.in_milliseconds(),
            granted: GrantsLine {
                read: texts(&contender.sight.granted),
                device: texts(&contender.sight.devices),
                network: contender.sight.network,
            },
        }
    }
}

/// The time for the answers of a bot with these limits. Only a program that lives on pays once for its
/// start.
pub fn seat_time(limits: &Limits, mode: ProgramMode) -> TimeControl {
    let game =
        limits.game_time.map(|time| GameTime { bank: time.bank_ms, increment: time.increment_ms });
    let first = limits.first_time.filter(|_| mode == ProgramMode::Resident);
    TimeControl { answer: limits.time_ms(), first: first.map(milliseconds), game }
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}

fn is_native(dialect: &Dialect) -> bool {
    *dialect == Dialect::Native
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    pub games: u64,
    /// The points of each player over all games, in the order of the header.
    pub points: Vec<Score>,
    /// The seed, now that nothing more is drawn from it; none in one shard of several, which may
    /// still be played elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<CommittedSeed>,
}

/// The parts of a header that make a series of games a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentLine {
    pub schedule: ScheduleLine,
    /// The share of faults that puts a bot out of the tournament; by default none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disqualify_after: Option<FaultLimit>,
    /// The test of two bots that ends it once it is decided, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "sprt_as_text")]
    pub sprt: Option<Sprt>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<TieBreak>,
    /// The time for which programs of the classic dialect keep their files.
    #[serde(default, skip_serializing_if = "FileRetention::is_usual")]
    pub keep_files: FileRetention,
    /// The head of the log that this one continues from, where it extends an older tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extends: Option<Digest>,
    /// Results of the blocks before the block of a shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<PriorDecisions>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<LeagueRound>,
}

impl TournamentLine {
    /// The line of a tournament of its own, with this schedule and nothing that ends it early.
    pub fn new(schedule: ScheduleLine) -> TournamentLine {
        TournamentLine {
            schedule,
            disqualify_after: None,
            sprt: None,
            tie_breaks: Vec::new(),
            keep_files: FileRetention::default(),
            extends: None,
            decided: None,
            league: None,
        }
    }
}

/// A round of a league, as the log of its games names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueRound {
    pub round: u64,
    /// The head of the league's log before the line that announces the round.
    pub after: Digest,
}

/// Decisions of the games before a block of deals: an input for the shards of the block, which do
/// not know these games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriorDecisions {
    /// The head of the merged log, up to the end of the block before.
    pub after: Digest,
    /// The names of the bots that are out of the tournament, in the order of the list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<String>,
}

/// A test in its one spelling.
pub mod sprt_as_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use standings::Sprt;

    pub fn serialize<S: Serializer>(sprt: &Option<Sprt>, serializer: S) -> Result<S::Ok, S::Error> {
        sprt.as_ref().map(ToString::to_string).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Sprt>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}

/// The secret of the organiser of a match or a tournament: 32 bytes, published at first as a digest
/// and revealed in the end.
///
/// All chance follows from the [`dealing`](CommittedSeed::dealing) seed, which is another one
/// where participants have put in words of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommittedSeed(pub Seed);

impl CommittedSeed {
    /// The digest of the 32 bytes, which is published before the first card.
    pub fn commitment(&self) -> Digest {
        Digest::hash(&self.0.0)
    }

    /// The seed that all chance follows from, where these words were mixed in after the commitment.
    ///
    /// Without words it is the committed seed itself, otherwise the SHA-256 digest of its 32 bytes
    /// and of the digests of the words, in order. The committed seed was chosen before the words
    /// were known, and the words without knowing the seed. So no one has chosen the deals, and each
    /// participant makes them unpredictable to the others.
    pub fn dealing(&self, entropy: &[String]) -> Seed {
        if entropy.is_empty() {
            return self.0.clone();
        }
        let mut bytes = self.0.0.to_vec();
        for words in entropy {
            bytes.extend(Digest::hash(words.as_bytes()).bytes());
        }
        Seed(Digest::hash(&bytes).bytes())
    }
}

impl fmt::Display for CommittedSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for CommittedSeed {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        text.parse().map(CommittedSeed)
    }
}

/// Text before the number, in the digest that is the seed.
const PREFIX: &str = "arbiter seed ";

/// A seed as it stands on a command line or in a plan.
///
/// A number stands for the SHA-256 digest of the text `arbiter seed ` and its decimal digits.
/// Anyone can try all short numbers against a commitment, so such a seed is for practice.
///
/// ```
/// use series::header::SeedText;
///
/// let short: SeedText = "42".parse()?;
/// assert!(short.can_be_guessed());
/// // printf 'arbiter seed 42' | sha256sum
/// let full = "eaf9840729d11f5733620e8464e47abca75fa99d21ca00655e62bf049e9a3dd5";
/// assert_eq!(short.seed().to_string(), full);
/// assert_eq!(full.parse::<SeedText>()?.seed(), short.seed());
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeedText {
    /// All 32 bytes.
    Full(Seed),
    /// A number that stands for them.
    Short(u64),
}

impl SeedText {
    pub fn seed(&self) -> Seed {
        match self {
            SeedText::Full(seed) => seed.clone(),
            SeedText::Short(number) => {
                Seed(Digest::hash(format!("{PREFIX}{number}").as_bytes()).bytes())
            }
        }
    }

    /// Returns true if it is so short that it can be found by trying.
    pub fn can_be_guessed(&self) -> bool {
        matches!(self, SeedText::Short(_))
    }
}

impl FromStr for SeedText {
    type Err = NotText;

    fn from_str(text: &str) -> Result<SeedText, NotText> {
        // With leading zeros it is rather an incomplete full seed.
        let number: Option<u64> =
            text.parse().ok().filter(|number: &u64| number.to_string() == text);
        let number = number.map(SeedText::Short);
        let expected = "a seed of 64 hexadecimal digits, or a short number for practice";
        number
            .or_else(|| text.parse().ok().map(SeedText::Full))
            .ok_or_else(|| NotText::new(expected, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_order_make_another_seed() {
        let committed = CommittedSeed(Seed([7; 32]));
        let dealing = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            committed.dealing(&words).to_string()
        };
        // (head -c 32 /dev/zero | tr '\0' '\7'; printf ann | sha256sum | xxd -r -p;
        //  printf bob | sha256sum | xxd -r -p) | sha256sum
        assert_eq!(dealing(&[]), "07".repeat(32));
        assert_eq!(dealing(&["ann", "bob"]), EXPECTED);
        assert_ne!(dealing(&["bob", "ann"]), EXPECTED);
        assert_ne!(dealing(&["annbob"]), EXPECTED);
        // (head -c 32 /dev/zero | tr '\0' '\7'; printf 'žuta 黄' | sha256sum | xxd -r -p) | sha256sum
        assert_eq!(dealing(&["žuta 黄"]), IN_UTF_8);
        assert_ne!(dealing(&[""]), dealing(&[]));
    }

    const IN_UTF_8: &str = "98a656e43cd3a9a038c4aecdf48a3b6d7b2a92b5d62bdaae4927322b713ac668";
    const EXPECTED: &str = "14c8a7eb813b2600f8d4cf21dcfafbfa46dd1ddbf5c6814ed397e29ff79c9c18";

    #[test]
    fn one_number_is_one_seed_and_what_is_no_number_is_none() {
        let short = |text: &str| text.parse::<SeedText>();
        assert_eq!(short("0"), Ok(SeedText::Short(0)));
        assert_eq!(short(&u64::MAX.to_string()), Ok(SeedText::Short(u64::MAX)));
        assert_eq!(short(&"12".repeat(32)), Ok(SeedText::Full(Seed([0x12; 32]))));
        for text in ["", "-1", "+1", " 1", "1.5", "0x1", "ff", "007", "18446744073709551616"] {
            let problem = short(text).expect_err(text).to_string();
            assert!(problem.contains("or a short number for practice"), "{problem}");
        }
    }
}
