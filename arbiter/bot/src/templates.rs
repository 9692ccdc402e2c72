//! Folders to start a bot from: the examples, with a name of their own.

use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use rules::custom::RestartPolicy;
use rules::{GameKind, GameTerms, Outcome, Referee, Seed, Step};
use text::failure::Failure;
use text::{printable, system_error};

use crate::manifest::MANIFEST;
use crate::name::{self, EXPECTED_NAME};
use sandbox::new_file::{self, NewFolder};

/// The commands in the README of a bot, a line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadmeCommands {
    /// Checks the bot from inside its folder.
    pub check: String,
    /// Plays it against another one from there.
    pub play: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BotTemplate {
    /// The language, as the command line names it.
    pub language: &'static str,
    /// Other names for it that the command line understands.
    pub aliases: &'static [&'static str],
    /// The language, as people write it.
    pub title: &'static str,
    /// The software that must be installed.
    pub needs: &'static str,
    /// The names and the contents of its files, in the order in which they are written: the file
    /// that makes the folder a bot is the last.
    files: &'static [(&'static str, &'static str)],
}

/// Makes a starter of an example, so that they are the same files.
macro_rules! starter {
    ($language:literal $aliases:expr, $title:literal, $needs:literal, [$($file:literal)+]) => {
        BotTemplate {
            language: $language,
            aliases: &$aliases,
            title: $title,
            needs: $needs,
            files: &[
                $(starter!(file $language, $file),)+
                starter!(file $language, "sample.txt"),
                starter!(file $language, "README.md"),
                starter!(file $language, "bot.toml"),
            ],
        }
    };
    (file $language:literal, $file:literal) => {
        ($file, include_str!(concat!("../../../examples/bots/", $language, "/", $file)))
    };
}

/// The name of the library for bots, in each language that has one.
const LIBRARY: &str = "arbiter_bot";

/// The line that makes a bot resident, and the same as a comment.
const RESIDENT: [&str; 2] = ["\nmode = \"resident\"", "\n# mode = \"resident\""];

/// The opening of the line that names a bot.
const NAME: &str = "name = ";

/// The opening of the line that names a bot to people.
const HEADING: &str = "# ";

/// The opening of the line that names the version of a bot.
const VERSION: &str = "version = ";

impl BotTemplate {
    pub const ALL: [BotTemplate; 11] = [
        starter!("python" [], "Python", "`python3`", ["bot.py" "arbiter_bot.py" "test_bot.py"]),
        starter!("node"["javascript", "js"], "JavaScript", "`node`", ["random.js" "arbiter_bot.js"]),
        starter!("c" [], "C", "a C compiler, `cc`", ["random.c"]),
        starter!("cpp"["c++"], "C++", "a C++ compiler, `c++`", ["random.cpp"]),
        starter!("java" [], "Java", "`java`, `javac` and `jar`", ["RandomBot.java"]),
        starter!("go" [], "Go", "`go`", ["random.go" "go.mod"]),
        starter!("ruby" [], "Ruby", "`ruby`", ["random.rb"]),
        starter!("perl" [], "Perl", "`perl`", ["random.pl"]),
        starter!("lua" [], "Lua", "`lua`", ["random.lua"]),
        starter!("shell"["bash"], "shell", "`sh`; Bash and dash are both fine", ["random.sh"]),
        starter!("rust" [], "Rust", "`rustc`", ["random.rs"]),
    ];

    pub fn named(language: &str) -> Option<BotTemplate> {
        BotTemplate::ALL
            .into_iter()
            .find(|starter| starter.language == language || starter.aliases.contains(&language))
    }

    /// The starter in the language of a source with this name.
    pub fn of_source(file: &str) -> Option<BotTemplate> {
        let (stem, ending) = file.rsplit_once('.')?;
        BotTemplate::ALL.into_iter().find(|starter| !stem.is_empty() && starter.ending() == ending)
    }

    /// The ending of the names of sources in its language, behind the dot.
    pub fn ending(&self) -> &'static str {
        self.source().rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    fn source(&self) -> &'static str {
        self.files.first().map_or("", |(file, _)| *file)
    }

    /// The files, with their contents, that a bot with this name needs besides its only source,
    /// which has this name and this content. A source that names the library of its language gets
    /// it. The bot starts for every move, for its source may read one request only.
    pub fn extra_files(
        &self,
        source: &str,
        content: &str,
        name: &str,
    ) -> impl Iterator<Item = (&'static str, String)> {
        let has_library = content.contains(LIBRARY);
        let class = |file: &str| file.strip_suffix(".java").map(str::to_owned);
        let renamed_class = class(self.source()).zip(class(source));
        let source = source.to_owned();
        let is_needed = move |file: &str| match file {
            MANIFEST | "go.mod" => true,
            _ => has_library && file.split('.').next() == Some(LIBRARY),
        };
        let others = self.files(name).filter(move |(file, _)| is_needed(file));
        let is_other = {
            let source = source.clone();
            move |(file, _): &(&str, String)| !file.eq_ignore_ascii_case(&source)
        };
        others.filter(is_other).map(move |(file, content)| {
            if file.split('.').next() == Some(LIBRARY) {
                return (file, content);
            }
            let content = content.replace(self.source(), &source);
            let content = content.replacen(RESIDENT[0], RESIDENT[1], 1);
            match &renamed_class {
                Some((old, new)) => (file, content.replace(old.as_str(), new)),
                None => (file, content),
            }
        })
    }

    /// Writes a bot of this game into a new or an empty folder, and gives its name, which is the folder's. Its sample
    /// is a request of the game.
    ///
    /// # Errors
    ///
    /// Nothing that was there is touched. Fails if the rules of the game do, with their reason.
    pub fn write(
        &self,
        folder: &Path,
        game: &GameKind,
        commands: &ReadmeCommands,
    ) -> Result<String, Failure> {
        let shown = || printable(&folder.display().to_string());
        let whole = std::path::absolute(folder).map_err(|error| unwritable(folder, &error))?;
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.and_then(|name| name::name(&name)).ok_or_else(|| {
            let folder = shown();
            Failure::usage(format_args!(
                "folder name `{folder}` is not a valid bot name: {EXPECTED_NAME}"
            ))
        })?;
        let is_of_sample = game.name() == GAME_OF_SAMPLE && game.rules_id().is_none();
        let sample = if is_of_sample { None } else { Some(first_request(game)?) };
        let with_game = |(file, content): (&'static str, String)| {
            let content = match file {
                MANIFEST => with_game(&content, game),
                "README.md" => readme(&content, game, commands),
                "sample.txt" => sample.clone().unwrap_or(content),
                "test_bot.py" if !is_of_sample => without_test_of_sample(&content),
                _ => content,
            };
            (file, content)
        };
        write_new(folder, self.files(&name).map(with_game))?;
        Ok(name)
    }

    /// The files of a bot with this name, in the order in which they are written.
    fn files(&self, name: &str) -> impl Iterator<Item = (&'static str, String)> {
        self.files.iter().map(move |(file, content)| {
            (
                *file,
                match *file {
                    MANIFEST => renamed(content, NAME, &format!("{NAME}\"{name}\"")),
                    "README.md" => renamed(content, HEADING, &format!("{HEADING}{name}")),
                    _ => (*content).to_owned(),
                },
            )
        })
    }
}

/// The game whose first request the samples of the examples are.
const GAME_OF_SAMPLE: &str = "tablic";

/// The limit of an answer in a sample, in milliseconds.
const SAMPLE_TIME: u64 = 5000;

/// The first request of a game with its usual options.
fn first_request(game: &GameKind) -> Result<String, Failure> {
    let options = "";
    let failed = |why: &dyn Display| Failure::Rules(format!("{game}: no first request: {why}"));
    let seats = game.seats(options).map_err(|error| failed(&error))?;
    let seed = Seed([0; 32]);
    let terms = GameTerms::even(seed.name(0), seats, SAMPLE_TIME, seed.bots(0));
    let mut referee = Referee::with(game, options, terms, RestartPolicy::Never)
        .map_err(|error| failed(&error))?;
    let mut nature = seed.nature(0);
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Ask(question) => return Ok(question.request()),
            Step::Moved => {}
            Step::Over(Outcome::Void { reason, .. }) => return Err(failed(reason)),
            Step::Over(_) => {
                return Err(failed(&"the game ends before any seat is asked for a move"));
            }
        }
    }
}

/// A README with the commands of this game, and an example of it.
fn readme(text: &str, game: &GameKind, commands: &ReadmeCommands) -> String {
    let text = text.replacen("arbiter check .\n", &format!("{}\n", commands.check), 1).replacen(
        "arbiter match --game tablic --games 10 . greedy",
        &commands.play,
        1,
    );
    let text = match game.name() == GAME_OF_SAMPLE && game.rules_id().is_none() {
        true => return text,
        false => without_longest_move(&text),
    };
    let [python, javascript] = match game.name() {
        _ if game.rules_id().is_some() => [EXAMPLE_OF_OTHERS, JAVASCRIPT_OF_OTHERS],
        "coup" => [EXAMPLE_OF_COUP, JAVASCRIPT_OF_COUP],
        "durak" => [EXAMPLE_OF_DURAK, JAVASCRIPT_OF_DURAK],
        _ => return text,
    };
    text.replacen(EXAMPLE_OF_TABLIC, python, 1).replacen(JAVASCRIPT_OF_TABLIC, javascript, 1)
}

/// The opening of the example in the README of the starters without a library.
const LONGEST_MOVE: &str = " For example, the longest move\nof Tablić captures the most cards:\n";

/// A README without that example.
fn without_longest_move(text: &str) -> String {
    let found = text.split_once(LONGEST_MOVE);
    let found = found.and_then(|(before, rest)| Some((before, rest.split_once("\n```\n")?.1)));
    found.map_or_else(|| text.to_owned(), |(before, after)| format!("{before}\n{after}"))
}

/// The example in the README of the starter in JavaScript, and those of other games.
const JAVASCRIPT_OF_TABLIC: &str = "For example, in Tablić:

```js
if (request.game === \"tablic\") {
  const most = Math.max(...request.legal.map((move) => move.captured.length));
  return request.legal.find((move) => move.captured.length === most);
}
```";

const JAVASCRIPT_OF_COUP: &str = "For example, in Coup:

```js
if (request.game === \"coup\") {
  const coup = request.legal.find((move) => move.kind === \"coup\");
  if (coup !== undefined) return coup;
}
```";

const JAVASCRIPT_OF_DURAK: &str = "For example, in Durak:

```js
if (request.game === \"durak\") {
  const beats = request.legal.filter((move) => move.kind === \"beat\");
  beats.sort((one, other) => one.card.place - other.card.place);
  if (beats.length > 0) return beats[0];
}
```";

const JAVASCRIPT_OF_OTHERS: &str = "In this game the moves are
strings, and the view is an object with string values. For example:

```js
console.error(request.view);
```";

/// The example in the README of the starter in Python, and those of other games.
const EXAMPLE_OF_TABLIC: &str = "For example, in Tablić:

```python
if isinstance(request, arbiter_bot.TablicRequest):
    return max(request.legal, key=lambda move: len(move.captured))
```";

const EXAMPLE_OF_COUP: &str = "For example, in Coup:

```python
if isinstance(request, arbiter_bot.CoupRequest):
    for kind in (\"coup\", \"challenge\"):
        for move in request.legal:
            if move.kind == kind:
                return move
```";

const EXAMPLE_OF_DURAK: &str = "For example, in Durak:

```python
if isinstance(request, arbiter_bot.DurakRequest):
    beats = [move for move in request.legal if move.kind == \"beat\" and move.card]
    if beats:
        return min(beats, key=lambda move: move.card.place)
```";

const EXAMPLE_OF_OTHERS: &str = "In this game the moves are
strings, and the view is a dictionary of strings. For example:

```python
print(request.view, file=sys.stderr)
```";

/// The tests of the starter in Python without the one that knows the cards of the sample.
fn without_test_of_sample(text: &str) -> String {
    let test = |name: &str| text.find(&format!("    def {name}("));
    match (test("test_reads_a_request"), test("test_plays_a_legal_move")) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &text[..from], &text[to..]),
        _ => text.to_owned(),
    }
}

/// Writes files into a new or an empty folder, in this order, each by its path there.
///
/// # Errors
///
/// Nothing that was there is touched.
pub fn write_new<'a>(
    folder: &Path,
    files: impl Iterator<Item = (&'a str, String)>,
) -> Result<(), Failure> {
    let unwritable = |error: io::Error| unwritable(folder, &error);
    let occupied = || {
        let folder = printable(&folder.display().to_string());
        Failure::usage(format_args!("`{folder}` exists and is not empty: choose a new folder"))
    };
    match new_file::is_free(folder) {
        Ok(true) => {}
        Ok(false) => return Err(occupied()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(occupied());
        }
        Err(error) => return Err(unwritable(error)),
    }
    let new = NewFolder::for_all_at(folder).map_err(unwritable)?;
    for (file, content) in files {
        let path = new.path().join(file);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(unwritable)?;
        let created = OpenOptions::new().write(true).create_new(true).open(path);
        created.and_then(|mut file| file.write_all(content.as_bytes())).map_err(unwritable)?;
    }
    new.publish(MANIFEST).map_err(unwritable)
}

fn unwritable(folder: &Path, error: &io::Error) -> Failure {
    let (folder, error) = (printable(&folder.display().to_string()), system_error(error));
    Failure::usage(format_args!("cannot write to `{folder}`: {error}"))
}

/// A text with another line in the place of the first one that begins so.
fn renamed(text: &str, opening: &str, line: &str) -> String {
    let place = text.lines().position(|line| line.starts_with(opening));
    let lines = text.lines().enumerate();
    lines
        .map(|(number, old)| if Some(number) == place { line } else { old })
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// A manifest that names one game, before the line that names the version.
fn with_game(manifest: &str, game: &GameKind) -> String {
    let all: Vec<String> = GameKind::ALL.iter().map(|kind| format!("\"{kind}\"")).collect();
    let note = match game.rules_id() {
        None => format!("# It can play all of these: {}.\n", all.join(", ")),
        Some(_) => String::new(),
    };
    let games = format!("{note}games = [\"{game}\"]\n");
    manifest.replacen(VERSION, &format!("{games}{VERSION}"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_readme_is_of_its_game_in_every_language() {
        let commands = ReadmeCommands { check: "check".to_owned(), play: "play".to_owned() };
        for starter in BotTemplate::ALL {
            let (_, text) = starter.files("mine").find(|file| file.0 == "README.md").expect("one");
            for game in GameKind::ALL.iter() {
                let readme = readme(&text, game, &commands);
                let names_tablic = readme.contains("Tablić") || readme.contains("tablic");
                let language = starter.language;
                assert_eq!(names_tablic, game.name() == GAME_OF_SAMPLE, "{language}: {readme}");
                assert!(readme.contains("\n## Try it by hand\n"), "{language}: {readme}");
                assert!(readme.matches("```").count().is_multiple_of(2), "{language}: {readme}");
            }
        }
    }
}
