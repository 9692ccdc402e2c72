//! The games that a served folder offers, the opponents, and the card of each game, by which it is played in one click.

use std::path::{Path, PathBuf};

use bot::grants::IsolationSpec;
use bot::launch_target::RemoteEndpoint;
use bot::limits::LimitSpecs;
use bot::manifest::{BotFolder, ProgramMode};
use bot::{BotSpec, FileDigest};
use games::{COPY, GameFiles};
use maud::{Markup, html};
use rules::custom::RulesId;
use rules::{GameKind, RulesLine};
use sandbox::Limits;
use series::Conditions;

use contest::playing::remote::is_connected;
use contest::tournament::folder::{holds_plan, shown};
use contest::tournament::plan_file::ReadPurpose;
use contest::tournament::{Settings, read};
use league::folder::LeagueFolder;
use league::settings::{LastSettings, LeagueSettings, copy_of_rules};
use report::html::bot::rules_in_words;

/// The most seats of a game where no option gives their number.
const MOST_SEATS: usize = 6;

/// The games and opponents that a folder offers, as it is now.
#[derive(Debug)]
pub struct TableOffer {
    pub games: Vec<OfferedGame>,
    pub opponents: Vec<OfferedBot>,
    pub(super) conditions: Conditions,
    /// How remote bots of a league are asked, where it takes any.
    pub(super) remote: Option<RemoteEndpoint>,
    /// The folder at which relative paths of bots start, if it is not the current one.
    pub(super) beside: Option<PathBuf>,
    /// The files that no bot may see.
    pub(super) kept: Vec<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedGame {
    pub kind: GameKind,
    /// Its options, with the number of seats, where they are given.
    pub(super) options: Option<String>,
    /// The numbers of seats that are possible.
    pub seats: Vec<usize>,
}

/// A bot that can be played against.
#[derive(Debug, Clone)]
pub struct OfferedBot {
    pub name: String,
    /// True for a bot that comes with the referee.
    pub(super) is_built_in: bool,
    pub(super) bot: BotSpec,
    pub(super) limits: Limits,
    /// The digests of its files when it entered, where they are written down.
    pub(super) entered: Option<Vec<FileDigest>>,
}

impl TableOffer {
    /// The offer of this folder: a league or tournament offers its game and its bots, any other folder every
    /// game. All offer the built-in bots. The logs of people are kept from all bots.
    pub(super) fn read(
        folder: &Path,
        settings: Option<&LastSettings>,
        logs: &Path,
    ) -> Result<TableOffer, String> {
        if let Some(league) = LeagueFolder::find(folder) {
            return of_league(&league, settings);
        }
        if holds_plan(folder) {
            return of_tournament(folder);
        }
        let games = GameKind::ALL.iter().map(|kind| {
            let fits = |seats: &usize| kind.check_options(&format!("seats={seats}")).is_ok();
            let seats = (2..=MOST_SEATS).filter(fits).collect();
            OfferedGame { kind: kind.clone(), options: None, seats }
        });
        Ok(TableOffer {
            games: games.collect(),
            opponents: built_in(&LimitSpecs::default()),
            conditions: Conditions::default(),
            remote: None,
            beside: None,
            kept: vec![logs.to_path_buf()],
        })
    }
}

fn built_in(limits: &LimitSpecs) -> Vec<OfferedBot> {
    let candidate = |program: &&bots::Program| {
        let name = program.name.to_owned();
        let bot: BotSpec = name.parse().ok()?;
        Some(OfferedBot {
            limits: limits.for_bot(&name, &bot),
            name,
            is_built_in: true,
            bot,
            entered: None,
        })
    };
    bots::programs::ALL.iter().filter_map(candidate).collect()
}

/// The game of a league against the bots that its public pages show as active, by the settings that hold now, or by the last ones that were right.
fn of_league(folder: &LeagueFolder, last: Option<&LastSettings>) -> Result<TableOffer, String> {
    let league = folder.read().map_err(|error| error.to_string())?;
    let kind = league.kind().clone();
    must_be_here(&kind, &folder.path().join(copy_of_rules(&league)))?;
    let LeagueSettings { settings, calendar, remote, .. } =
        match last.and_then(|last| last.terms().ok()) {
            Some((terms, _)) => terms.settings.clone(),
            None => {
                let text = folder.settings().map_err(|error| error.to_string())?;
                LeagueSettings::read_for(&league, &text)
                    .map_err(|error| format!("`{}/league.toml`: {error}", shown(folder.path())))?
            }
        };
    let shown = folder.read_public(&calendar).map_err(|error| error.to_string())?;
    let Conditions { isolation, limits, .. } = &settings.conditions;
    let candidate = |entry: &league::line::EnterLine| {
        // One that is not there any more cannot be played against.
        let bot = folder.entered_bot(entry).ok()?;
        let mut limits = limits.for_bot(&entry.bot.bot, &bot);
        let (name, entered) = (entry.bot.to_string(), Some(entry.files.clone()));
        if entry.mode == ProgramMode::Remote {
            let terms = remote?;
            limits = terms.limits(limits);
            is_connected(&terms.access(folder.path()), &name).then_some(())?;
        }
        Some(OfferedBot { name, is_built_in: false, bot, limits, entered })
    };
    let mut opponents: Vec<OfferedBot> =
        shown.active().filter_map(|(_, member)| candidate(&member.entry)).collect();
    opponents.extend(built_in(limits));
    // Grants to a bot are grants to its version.
    let versions: Vec<_> = shown.active().map(|(_, member)| member.entry.bot.clone()).collect();
    let grants = isolation.grants.renamed(&|name| {
        let versions = versions.iter().filter(|version| version.bot == name);
        versions.map(ToString::to_string).collect()
    });
    let isolation = IsolationSpec { grants, ..*isolation };
    let conditions = Conditions { isolation, ..settings.conditions };
    let kept = vec![folder.path().to_path_buf()];
    let (games, opponents) = of_one_game(kind, settings.options, opponents);
    let remote = remote.map(|terms| terms.access(folder.path()));
    Ok(TableOffer { games, opponents, conditions, remote, beside: None, kept })
}

/// The game of a tournament against its bots.
fn of_tournament(folder: &Path) -> Result<TableOffer, String> {
    let plan = read::plan(folder, ReadPurpose::Looks)
        .map_err(|error| format!("`{}`: {error}", shown(folder)))?;
    let whole = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let beside = whole.parent().map(Path::to_path_buf).unwrap_or(whole);
    let mut opponents = Vec::new();
    for entry in plan.entries() {
        if entry.bot.mode() == ProgramMode::Remote {
            // Only the tournament itself can ask it.
            continue;
        }
        let (name, limits) = (entry.name.clone(), entry.limits);
        let Ok(bot) = opened_beside(&entry.bot, &beside) else { continue };
        opponents.push(OfferedBot { name, is_built_in: false, bot, limits, entered: None });
    }
    let others = built_in(&LimitSpecs::default()).into_iter();
    let is_new = |it: &OfferedBot| plan.entries().iter().all(|entry| entry.name != it.name);
    opponents.extend(others.filter(is_new));
    let Settings { options, conditions, .. } = plan.settings().clone();
    let kind = of_copy(plan.kind(), &options, folder);
    must_be_here(&kind, &folder.join(COPY))?;
    let (games, opponents) = of_one_game(kind, options, opponents);
    let kept = vec![folder.to_path_buf()];
    Ok(TableOffer { games, opponents, conditions, remote: None, beside: Some(beside), kept })
}

/// A game with the rules whose copy is in a folder: this process may know another one of the same name.
fn of_copy(kind: &GameKind, options: &str, folder: &Path) -> GameKind {
    let copy = kind.rules_id().and_then(|_| GameFiles::copy_in(folder).ok().flatten());
    let seats = kind.seats(options).unwrap_or_default();
    let line = copy.map(|files| RulesLine { id: files.id(), seats });
    let of_line = line.and_then(|line| GameKind::of_log(kind.name(), Some(&line)).ok());
    of_line.unwrap_or_else(|| kind.clone())
}

/// Fails with what is missing if the rules of a game are not here.
fn must_be_here(kind: &GameKind, copy: &Path) -> Result<(), String> {
    match kind.rules_id().filter(|_| kind.is_absent()) {
        Some(RulesId { carrier, digest, .. }) => Err(format!(
            "the rules of {kind} (a {carrier} with digest {digest}) are missing: put a copy in `{}`",
            shown(copy)
        )),
        None => Ok(()),
    }
}

/// One game with these options, and the bots that can play it.
fn of_one_game(
    kind: GameKind,
    options: String,
    opponents: Vec<OfferedBot>,
) -> (Vec<OfferedGame>, Vec<OfferedBot>) {
    let seats = kind.seats(&options).ok().into_iter().collect();
    let plays = |it: &OfferedBot| {
        let folder = it.bot.folder();
        let knows = || {
            bots::programs::playing(&kind).any(|program| program.name == it.name)
                && bots::programs::refusal(&it.name, &kind, &options).is_none()
        };
        (!it.is_built_in || knows())
            && folder.is_none_or(|folder| folder.manifest.games.has(&kind))
            && kind.dialects_with(&options).contains(&it.bot.dialect())
    };
    let opponents = opponents.into_iter().filter(plays).collect();
    (vec![OfferedGame { kind, options: Some(options), seats }], opponents)
}

/// A bot with its manifest, if its folder has one; paths start at the folder beside the tournament.
fn opened_beside(bot: &BotSpec, beside: &Path) -> Result<BotSpec, String> {
    let Some(first) = bot.words().first().filter(|word| word.contains('/')) else {
        return Ok(bot.clone());
    };
    let path = beside.join(first);
    let text = path.to_str().ok_or("the path is not UTF-8")?;
    if !BotFolder::is_one(text) {
        return Ok(bot.clone());
    }
    let opened = BotFolder::open(text).map_err(|error| error.to_string())?;
    let spec = BotSpec::from(BotFolder { typed: first.clone(), ..opened });
    match bot.stated_mode() {
        Some(mode) => spec.living(mode).map_err(|error| error.to_string()),
        None => Ok(spec),
    }
}

pub(crate) const STYLE: &str = "home.css";

/// The cards of all games that are offered; `way` leads to the page on which games are chosen.
pub(crate) fn games(offer: &TableOffer, way: &str) -> Markup {
    html! {
        div.offers { @for game in &offer.games { (card(game, &offer.opponents, way)) } }
    }
}

fn card(game: &OfferedGame, opponents: &[OfferedBot], way: &str) -> Markup {
    let name = game.kind.name();
    let least = game.seats.iter().min().copied().unwrap_or(2);
    let most = game.seats.iter().max().copied().unwrap_or(2);
    let playable = || opponents.iter().filter(|it| !it.is_built_in || plays(it, &game.kind));
    let Some(first) = first_opponent(playable()) else { return html! {} };
    let about = game.kind.about();
    let against = match least {
        2 if first.is_built_in => first.name.clone(),
        // Its name can be any word.
        2 => format!("the bot {}", first.name),
        _ => format!("{} bots", least - 1),
    };
    html! {
        section.offer id=(name) aria-labelledby={ (name) "-title" } {
            @if let Some(art) = art(name) {
                div.art aria-hidden="true" { img src={ (way) "../assets/" (art) } alt="" width="400" height="168"; }
            }
            div.text {
                h2 id={ (name) "-title" } { (about.title) }
                @if let Some(line) = in_a_line(name) { p.quiet { (line) } }
                @else if game.kind.rules_id().is_some() { p.quiet { (about.about) } }
                form.choose method="post" action=[(!way.is_empty()).then_some(way)] {
                    button.btn.main type="submit" name="game" value=(name) { "Play against " (against) }
                    details {
                        summary { "More options" }
                        div.fields {
                            @for number in 1..most {
                                label { "Bot " @if most > 2 { (number) " " } select name="bot" required[number < least] {
                                    @if number >= least { option value="" { "none" } }
                                    @for opponent in playable() {
                                        @let is_first = number < least && opponent.name == first.name;
                                        option value=(opponent.name) selected[is_first] { (opponent.name) }
                                    }
                                } }
                            }
                            label { "Your seat " select name="seat" {
                                @for seat in 0..most { option value=(seat) { (seat) } }
                            } }
                            label { "Your name " input name="name" value="you" maxlength="32" required autocomplete="off"; }
                        }
                        @if let Some(options) = &game.options { p.quiet { "Options: " (options) } }
                        @if let Some(id) = game.kind.rules_id() { p.quiet { "Rules: " (rules_in_words(id)) } }
                    }
                }
                p.quiet { a href={ (way) "rules/#" (name) } { "Rules summary" } }
            }
        }
    }
}

/// The drawing of a game, if there is one.
fn art(game: &str) -> Option<&'static str> {
    let drawn = [("tablic", "tablic.svg"), ("coup", "coup.svg"), ("durak", "durak.svg")];
    drawn.into_iter().find(|(name, _)| *name == game).map(|(_, file)| file)
}

/// The aim of a game in one line.
fn in_a_line(game: &str) -> Option<&'static str> {
    match game {
        "tablic" => Some("Take cards that add up to yours."),
        "coup" => Some("Say who you are. Maybe it is true."),
        "durak" => Some("Do not be the last with cards."),
        _ => None,
    }
}

/// The preselected opponent: the first one that does not play at random.
fn first_opponent<'a>(
    mut opponents: impl Iterator<Item = &'a OfferedBot> + Clone,
) -> Option<&'a OfferedBot> {
    // In a league a bot has its version behind its name.
    let is_random = |name: &str| name.split('@').next() == Some(bots::programs::RANDOM.name);
    let any = opponents.clone().next();
    opponents.find(|it| !is_random(&it.name)).or(any)
}

fn plays(candidate: &OfferedBot, kind: &GameKind) -> bool {
    bots::programs::playing(kind).any(|program| program.name == candidate.name)
}
