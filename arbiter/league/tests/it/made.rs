//! Leagues that are played in the process of the test, without programs.

#![allow(dead_code, unreachable_pub, reason = "each test uses some of it")]

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use contest::playing::{GameSetup, Player, Reply, play_game};
use contest::tournament::folder::{Entrants, TournamentFolder, games};
use contest::tournament::sharded::survey;
use contest::tournament::{plan_file, read};
use league::folder::{LeagueError, LeagueFolder};
use league::index::LeagueIndex;
use league::line::{EnterLine, FORMAT, LeagueHeader, LeagueLine, RoundEndLine, RoundLine};
use league::rounds::{self, RoundSize};
use league::settings::LeagueSettings;
use league::stage::{self, ForfeitRule, Stage, StageFormat, StageLine, TIE_BREAKS};
use league::{BotVersion, League};
use record::{Line, LogWriter};
use rules::{Answer, Digest, GameKind, Measurements, PerSeat, Prompt, Seed, StopCause};
use sandbox::Limits;
use series::header::CommittedSeed;
use series::{End, Header, PlayerLine, Series, SeriesState};
use standings::Standings;

/// The time limit of every bot, in milliseconds.
const TIME: u64 = 5_000;

/// A built-in player that is no program, or one that a busy machine never lets answer in time.
enum Within {
    Player(Box<dyn bots::player::AnyGamePlayer>),
    Starved,
}

/// The command of a player that a busy machine never lets answer.
pub const STARVED: &str = "starved";

impl Player for Within {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let Prompt::Request(request) = prompt else { unreachable!("it speaks the native dialect") };
        let Within::Player(player) = self else {
            let ms = TIME as f64;
            let by = StopCause::NoExit(TIME);
            let measured = Measurements {
                ms,
                cpu_ms: Some(0.0),
                waited_ms: Some(ms),
                ..Measurements::default()
            };
            return Reply { answer: Answer::Stopped { by, output: Vec::new() }, measured };
        };
        let answer = player.answer(request).expect("a legal move");
        let measured = Measurements { ms: 0.75, cpu_ms: Some(0.5), ..Measurements::default() };
        Reply { answer: Answer::Output(answer.into_bytes()), measured }
    }
}

/// A league whose bots are built-in players, such as `greedy`.
pub struct MadeLeague {
    pub folder: LeagueFolder,
    kind: GameKind,
    /// By the names of their versions.
    players: BTreeMap<String, Within>,
}

impl MadeLeague {
    /// A league for two seats, without bots.
    pub fn new(path: &Path, kind: &GameKind) -> MadeLeague {
        let founding = LeagueHeader {
            format: FORMAT,
            version: "0.1.0".to_owned(),
            game: kind.name().to_owned(),
            rules: None,
            seats: 2,
        };
        let settings = format!("game = '{}'\nisolation = 'off'\n", kind.name());
        let folder = LeagueFolder::create(path, &settings, founding, None).expect("a new league");
        MadeLeague { folder, kind: kind.clone(), players: BTreeMap::new() }
    }

    pub fn league(&self) -> Arc<League> {
        self.folder.read().expect("a league")
    }

    /// Enters the next version of a bot.
    pub fn enter(&mut self, name: &str, command: &str) -> BotVersion {
        self.enter_all([(name, command)]).remove(0)
    }

    /// Enters the next versions of several bots, each with its name and command.
    pub fn enter_all<'a>(
        &mut self,
        bots: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Vec<BotVersion> {
        let league = self.league();
        let (mut entered, mut lines) = (Vec::new(), Vec::new());
        for (name, command) in bots {
            let bot = BotVersion { bot: name.to_owned(), version: league.next_version(name) };
            let mut words = command.split(' ');
            let program = words.next().expect("a program");
            let options: Vec<String> = words.map(str::to_owned).collect();
            let player = match program {
                STARVED => Within::Starved,
                _ => Within::Player(
                    bots::programs::player(&self.kind, program, &options).expect("a player"),
                ),
            };
            self.players.insert(bot.to_string(), player);
            let line = PlayerLine::in_process(name, command, TIME);
            let entry = EnterLine {
                bot: bot.clone(),
                command: line.command,
                files: line.files,
                handed_in: None,
                dialect: line.dialect,
                mode: line.mode,
            };
            lines.push(LeagueLine::Enter(Box::new(entry)));
            entered.push(bot);
        }
        self.folder.append(|_| Ok::<_, LeagueError>(lines)).expect("they fit");
        entered
    }

    pub fn append(&self, line: LeagueLine) -> Result<Arc<League>, LeagueError> {
        self.folder.append(|_| Ok(vec![line]))
    }

    /// Chooses the next round by these standings, and lays it out.
    pub fn announce(&self, standings: &Standings, size: RoundSize) -> RoundLine {
        let league = self.league();
        let seed = self.seed(league.rounds().len() as u64);
        let line = rounds::next_round(&league, standings, size, None, &|_| true, seed.commitment())
            .expect("enough bots");
        self.lay_out(line)
    }

    /// Announces a stage of all bots, in the order in which they have entered, with one deal each match.
    pub fn begin_stage(&self, format: StageFormat) -> Result<Arc<League>, LeagueError> {
        self.begin_stage_with(format, 0)
    }

    /// Announces such a stage in which tied matches go on with extra deals.
    pub fn begin_stage_with(
        &self,
        format: StageFormat,
        deciders: u64,
    ) -> Result<Arc<League>, LeagueError> {
        let league = self.league();
        let line = StageLine {
            stage: league.stages().len() as u64,
            name: "final".to_owned(),
            format,
            bots: league.active().map(|(_, member)| member.entry.bot.clone()).collect(),
            deals: 1,
            tie_breaks: TIE_BREAKS.to_vec(),
            deciders,
            forfeits: ForfeitRule::Listed,
        };
        self.append(LeagueLine::Stage(Box::new(line)))
    }

    /// Plays the open stage to its end, and returns it.
    pub fn play_stage(&mut self) -> Stage {
        loop {
            let league = self.league();
            let Some(stage) = league.open_stage() else {
                return league.stages().last().cloned().expect("a stage");
            };
            let seed = self.seed(league.rounds().len() as u64);
            let line = rounds::next_of_stage(&league, stage, seed.commitment()).expect("a round");
            let line = self.lay_out(line);
            self.play(&line);
        }
    }

    /// Lays out the next round.
    pub fn lay_out(&self, line: RoundLine) -> RoundLine {
        let league = self.league();
        let settings =
            LeagueSettings::read_for(&league, &self.folder.settings().expect("settings"))
                .expect("they fit");
        let (number, seed) = (line.round, self.seed(line.round));
        let bot = |version: &BotVersion| {
            let member = league.members().iter().find(|member| member.entry.bot == *version)?;
            member.entry.command.parse().ok()
        };
        let LeagueSettings { settings, .. } = settings;
        let plan = rounds::plan(&league, &line, league.head(), settings, &bot, seed, None)
            .expect("a plan");
        let text = plan_file::write(&plan).expect("it is TOML");
        let entrants = Entrants::new(&players(&line, &league), Vec::new());
        TournamentFolder::create(&self.folder.round(number), &text, &entrants, None)
            .expect("a new folder");
        self.append(LeagueLine::Round(Box::new(line.clone()))).expect("it fits");
        line
    }

    /// Plays a round that was announced, and ends it.
    pub fn play(&mut self, line: &RoundLine) -> RoundEndLine {
        let games = self.played(line);
        let rule = self.league().forfeits(line);
        let (log, results) =
            stage::results(line, rule, &self.folder.round(line.round)).expect("it was played");
        let head = log.map(|log| log.head);
        let results = if line.stage.is_some() { results } else { Vec::new() };
        let over = RoundEndLine { round: line.round, games, head, broken: None, results };
        self.append(LeagueLine::Over(Box::new(over.clone()))).expect("it fits");
        over
    }

    /// Plays a round that was announced; gives its number of games.
    pub fn played(&mut self, line: &RoundLine) -> u64 {
        let league = self.league();
        let path = self.folder.round(line.round);
        let plan = read::plan(&path, plan_file::ReadPurpose::Looks).expect("a plan");
        let header = Header { players: players(line, &league), ..plan.header(&[]) };
        let played = self.write(&games(&path), header, &self.seed(line.round));
        let folder = TournamentFolder::open(&path).expect("it is ours");
        let standings = survey::tournament_state(&path).expect("it was played").standings();
        folder.write_standings(&standings).expect("room");
        played
    }

    /// Plays one round after the other, as `arbiter league run` does.
    pub fn run(&mut self, rounds: usize, size: RoundSize) -> LeagueIndex {
        let mut index = LeagueIndex::open(&self.league(), &self.folder).expect("an index");
        for _ in 0..rounds {
            let line = self.announce(&index.standings(), size);
            self.play(&line);
            index.bring_up_to(&self.league()).expect("it was played");
        }
        index
    }

    pub fn seed(&self, round: u64) -> CommittedSeed {
        CommittedSeed(Seed(Digest::hash(&round.to_le_bytes()).bytes()))
    }

    /// Writes the log of a round; gives its number of games.
    fn write(&mut self, path: &Path, header: Header, seed: &CommittedSeed) -> u64 {
        let mut state = SeriesState::new(Series::new(header).expect("a header"));
        let mut log = LogWriter::create(path).expect("a new file");
        log.append(&Line::Header(Box::new(state.series.header().clone()))).expect("room");
        let dealing = state.series.dealing(seed);
        while let Some(place) = state.progress.next() {
            let setup = GameSetup::new(&state.series, place);
            let names = state.series.seating(place.game).players;
            let names: Vec<String> = names
                .values()
                .iter()
                .map(|place| state.series.header().players[*place].name.clone())
                .collect();
            let mut seated: Vec<(usize, &mut dyn Player)> = Vec::new();
            for (name, player) in &mut self.players {
                if let Some(seat) = names.iter().position(|seated| seated == name) {
                    seated.push((seat, player));
                }
            }
            seated.sort_by_key(|(seat, _)| *seat);
            let seated: Vec<&mut dyn Player> = seated.into_iter().map(|(_, it)| it).collect();
            let mut seated = PerSeat::from(seated);
            let game = play_game(&state.series, &setup, &dealing, &mut seated, &mut |_| {})
                .expect("a game");
            state.add(&game);
            log.append(&Line::Game(Box::new(game))).expect("room");
        }
        let (games, points) = (state.progress.played(), state.totals.points());
        log.append(&Line::End(End { games, points, seed: Some(seed.clone()) })).expect("room");
        games
    }
}

/// The bots of a round as the header of its log names them.
fn players(line: &RoundLine, league: &League) -> Vec<PlayerLine> {
    let entered = |bot: &BotVersion| {
        let member = league.members().iter().find(|member| member.entry.bot == *bot);
        member.expect("it has entered").entry.command.clone()
    };
    line.bots
        .iter()
        .map(|bot| PlayerLine {
            limits: Limits::DEFAULT,
            ..PlayerLine::in_process(&bot.to_string(), &entered(bot), TIME)
        })
        .collect()
}
