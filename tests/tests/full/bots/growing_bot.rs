//! A bot of `arbiter new` that grows, as its README says: by a second file, a file of data, and
//! packages that are installed in its folder.

use std::fs;

use tests::bench::{Bench, run};
use tests::installed::is_there;
use tests::missing;

/// Changes of a beginner to a starter.
#[derive(Default)]
struct Growth<'a> {
    /// Texts of its files that become others.
    edits: &'a [(&'a str, &'a str, &'a str)],
    files: &'a [(&'a str, &'a str)],
    /// Texts of the README about them.
    told: &'a [&'a str],
}

/// A new bot in a language, unless a program for it is missing.
fn start(language: &str, programs: &[&str]) -> Option<Bench> {
    if !programs.iter().all(|program| is_there(program)) {
        return None;
    }
    let bench = Bench::new();
    bench.succeed(["new", "my-bot", "--language", language]);
    Some(bench)
}

/// Has the bot grow, and asserts that it plays what its second file says: the last move of the
/// sample.
fn grow(bench: &Bench, growth: &Growth<'_>) {
    let folder = bench.path("my-bot");
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("a text");
    for (file, old, new) in growth.edits {
        let text = read(file);
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {file}");
        fs::write(folder.join(file), text.replace(old, new)).expect("a file");
    }
    for (file, content) in growth.files {
        fs::write(folder.join(file), content).expect("a file");
    }
    fs::write(folder.join("weights.txt"), "7\n").expect("a file");
    let readme = read("README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    for told in growth.told {
        assert!(readme.contains(told), "`{told}` is not in {readme}");
    }
    // From the build on, and in a scratch folder. No bot is too slow.
    let check = ["check", "--game", "tablic", "--games", "0", "--time-limit", "60s", "./my-bot"];
    let ended = bench.run(check);
    let first = ended.stdout.lines().find(|line| line.contains(" tablic first-move "));
    assert!(first.is_some_and(|first| first.ends_with("  KD 2D JH")), "{ended:?}");
}

fn grows(language: &str, programs: &[&str], growth: &Growth<'_>) {
    if let Some(bench) = start(language, programs) {
        grow(&bench, growth);
    }
}

#[test]
fn python() {
    let growth = Growth {
        edits: &[
            ("bot.py", "import arbiter_bot\n", "import arbiter_bot\nimport helper\n"),
            (
                "bot.py",
                "request.pick(request.legal)",
                "request.legal[helper.pick(len(request.legal))]",
            ),
        ],
        files: &[(
            "helper.py",
            "import pathlib\n\ndef pick(count):\n    \
             return int(pathlib.Path(__file__).with_name(\"weights.txt\").read_text()) % count\n",
        )],
        told: &["`import helper`", "`pathlib.Path(__file__).with_name(\"weights.txt\")`"],
    };
    grows("python", &["python3"], &growth);
}

/// However it is installed, a package is a file in the environment.
#[test]
fn python_with_packages() {
    let Some(bench) = start("python", &["python3"]) else { return };
    let environment = bench.path("my-bot/.venv");
    let mut command = bench.command("python3");
    let made = run(command.args(["-m", "venv", "--without-pip"]).arg(&environment));
    if made.code != Some(0) {
        missing::tell("python3 makes no virtual environment");
        return;
    }
    let place = "import sysconfig; print(sysconfig.get_paths()['purelib'])";
    let found = run(bench.command(environment.join("bin/python3")).args(["-c", place]));
    let package = format!("{}/deepthought.py", found.stdout.trim_end());
    fs::write(package, "def pick(count):\n    return 7 % count\n").expect("a package");
    let command = "command = \".venv/bin/python3 bot.py\"";
    let growth = Growth {
        edits: &[
            ("bot.py", "import arbiter_bot\n", "import arbiter_bot\nimport deepthought\n"),
            (
                "bot.py",
                "request.pick(request.legal)",
                "request.legal[deepthought.pick(len(request.legal))]",
            ),
            ("bot.toml", "command = \"python3 bot.py\"", command),
        ],
        files: &[],
        told: &["`python3 -m venv .venv`", &format!("`{command}`")],
    };
    grow(&bench, &growth);
}

#[test]
fn node() {
    let growth = Growth {
        edits: &[(
            "random.js",
            "request.pick(request.legal)",
            "request.legal[require(\"./helper\").pick(request.legal.length)]",
        )],
        files: &[(
            "helper.js",
            "const weights = require(\"path\").join(__dirname, \"weights.txt\");\n\
             exports.pick = (count) => Number(require(\"fs\").readFileSync(weights)) % count;\n",
        )],
        told: &["`require(\"./helper\")`", "`require(\"path\").join(__dirname, \"weights.txt\")`"],
    };
    grows("node", &["node"], &growth);
}

#[test]
fn node_with_packages() {
    let Some(bench) = start("node", &["node"]) else { return };
    fs::create_dir_all(bench.path("my-bot/node_modules/deepthought")).expect("a folder");
    let growth = Growth {
        edits: &[(
            "random.js",
            "request.pick(request.legal)",
            "request.legal[require(\"deepthought\").pick(request.legal.length)]",
        )],
        files: &[("node_modules/deepthought/index.js", "exports.pick = (count) => 7 % count;\n")],
        told: &["`npm install NAME`"],
    };
    grow(&bench, &growth);
}

#[test]
fn ruby() {
    let growth = Growth {
        edits: &[
            (
                "random.rb",
                "def read_request(input)",
                "require_relative \"helper\"\ndef read_request(input)",
            ),
            ("random.rb", "request[\"seed\"].to_i(16) % moves.length", "pick(moves.length)"),
        ],
        files: &[(
            "helper.rb",
            "def pick(count)\n  File.read(File.join(__dir__, \"weights.txt\")).to_i % count\nend\n",
        )],
        told: &["`require_relative \"helper\"`", "`File.join(__dir__, \"weights.txt\")`"],
    };
    grows("ruby", &["ruby"], &growth);
}

/// A gem in the bot's folder, as `gem install --install-dir gems` would put it there.
#[test]
fn ruby_with_packages() {
    let Some(bench) = start("ruby", &["ruby"]) else { return };
    for folder in ["gems/specifications", "gems/gems/deepthought-1.0/lib"] {
        fs::create_dir_all(bench.path("my-bot").join(folder)).expect("a folder");
    }
    let paths = "Gem.use_paths(File.join(__dir__, \"gems\"))";
    let begin = format!("{paths}\nrequire \"deepthought\"\ndef read_request(input)");
    let growth = Growth {
        edits: &[
            ("random.rb", "def read_request(input)", &begin),
            ("random.rb", "request[\"seed\"].to_i(16) % moves.length", "pick(moves.length)"),
            ("bot.toml", "command = \"ruby --disable=gems", "command = \"ruby"),
        ],
        files: &[
            (
                "gems/specifications/deepthought-1.0.gemspec",
                "Gem::Specification.new do |gem|\n  gem.name = \"deepthought\"\n  \
                 gem.version = \"1.0\"\n  gem.summary = \"x\"\n  gem.authors = [\"x\"]\n  \
                 gem.files = [\"lib/deepthought.rb\"]\n  gem.require_paths = [\"lib\"]\nend\n",
            ),
            ("gems/gems/deepthought-1.0/lib/deepthought.rb", "def pick(count)\n  7 % count\nend\n"),
        ],
        told: &["remove `--disable=gems` from `bot.toml`", &format!("`{paths}`")],
    };
    grow(&bench, &growth);
}

#[test]
fn perl() {
    let begin = "use FindBin; use lib $FindBin::Bin; use Helper;";
    let growth = Growth {
        edits: &[
            ("random.pl", "use warnings;\n", &format!("use warnings;\n{begin}\n")),
            ("random.pl", "$moves[$chosen]", "$moves[Helper::pick(scalar @moves)]"),
        ],
        files: &[(
            "Helper.pm",
            "package Helper;\nsub pick {\n    \
             open my $file, '<', \"$FindBin::Bin/weights.txt\" or die $!;\n    \
             my $chosen = <$file>;\n    return $chosen % $_[0];\n}\n1;\n",
        )],
        told: &[&format!("`{begin}`"), "`\"$FindBin::Bin/weights.txt\"`"],
    };
    grows("perl", &["perl"], &growth);
}

#[test]
fn lua() {
    let path = "package.path = arg[0]:gsub(\"[^/]+$\", \"?.lua;\") .. package.path";
    let begin = format!("{path}\nlocal function read_request()");
    let growth = Growth {
        edits: &[
            ("random.lua", "local function read_request()", &begin),
            ("random.lua", "moves[chosen + 1]", "moves[require(\"helper\").pick(#moves) + 1]"),
        ],
        files: &[(
            "helper.lua",
            "local helper = {}\nfunction helper.pick(count)\n  \
             local name = arg[0]:gsub(\"[^/]+$\", \"weights.txt\")\n  \
             for line in io.lines(name) do\n    return tonumber(line) % count\n  end\nend\n\
             return helper\n",
        )],
        told: &[&format!("`{path}`"), "`arg[0]:gsub(\"[^/]+$\", \"weights.txt\")`"],
    };
    grows("lua", &["lua"], &growth);
}

#[test]
fn shell() {
    let begin = ". \"${0%/*}/helper.sh\"";
    let growth = Growth {
        edits: &[
            (
                "random.sh",
                "while read -r key value rest; do",
                &format!("{begin}\nwhile read -r key value rest; do"),
            ),
            ("random.sh", "    printf '%s' \"$legal\"", "    pick\n    printf '%s' \"$legal\""),
        ],
        files: &[(
            "helper.sh",
            "pick() {\n    read -r chosen <\"${0%/*}/weights.txt\"\n    \
             chosen=$((chosen % count))\n}\n",
        )],
        told: &[&format!("`{begin}`"), "`\"${0%/*}/weights.txt\"`"],
    };
    grows("shell", &["sh"], &growth);
}

#[test]
fn c() {
    let build = "build = \"cc -O2 -o random random.c helper.c\"";
    let growth = Growth {
        edits: &[
            (
                "random.c",
                "/* The move to play. */",
                "unsigned long pick(unsigned long count);\n/* The move to play. */",
            ),
            ("random.c", "request->seed % request->legal.count", "pick(request->legal.count)"),
            ("bot.toml", "build = \"cc -O2 -o random random.c\"", build),
        ],
        files: &[(
            "helper.c",
            "unsigned long pick(unsigned long count) {\n    return 7 % count;\n}\n",
        )],
        told: &[&format!("`{build}`")],
    };
    grows("c", &["cc"], &growth);
}

/// A word of the command hands over a file of the bot's folder, where the language names no place.
#[test]
fn c_with_data() {
    let command = "command = \"./random ./weights.txt\"";
    let growth = Growth {
        edits: &[
            (
                "random.c",
                "int main(void) {",
                "int main(int count, char **words) {\n    \
              FILE *file = fopen(words[count - 1], \"r\");\n    \
              if (file == NULL || fscanf(file, \"%lu\", &weight) != 1) return 1;",
            ),
            ("random.c", "/* The move to play. */", "static unsigned long weight;\n"),
            ("random.c", "request->seed % request->legal.count", "weight % request->legal.count"),
            ("bot.toml", "command = \"./random\"", command),
        ],
        files: &[],
        told: &[&format!("`{command}`")],
    };
    grows("c", &["cc"], &growth);
}

#[test]
fn cpp() {
    let build = "build = \"c++ -std=c++17 -O2 -o random random.cpp helper.cpp\"";
    let growth = Growth {
        edits: &[
            (
                "random.cpp",
                "// The move to play.",
                "unsigned long pick(unsigned long count);\n// The move to play.",
            ),
            ("random.cpp", "moves.at(seed % moves.size())", "moves.at(pick(moves.size()))"),
            ("bot.toml", "build = \"c++ -std=c++17 -O2 -o random random.cpp\"", build),
        ],
        files: &[(
            "helper.cpp",
            "unsigned long pick(unsigned long count) {\n    return 7 % count;\n}\n",
        )],
        told: &[&format!("`{build}`")],
    };
    grows("cpp", &["c++"], &growth);
}

#[test]
fn go() {
    let growth = Growth {
        edits: &[
            ("random.go", "seed, err := strconv", "_, err := strconv"),
            ("random.go", "seed%uint64(len(moves))", "pick(len(moves))"),
        ],
        files: &[("helper.go", "package main\n\nfunc pick(count int) int { return 7 % count }\n")],
        told: &["Every `.go` file in this folder"],
    };
    grows("go", &["go"], &growth);
}

#[test]
fn java() {
    let growth = Growth {
        edits: &[(
            "RandomBot.java",
            "(int) Long.remainderUnsigned(seed, moves.size())",
            "Helper.pick(moves.size())",
        )],
        files: &[(
            "Helper.java",
            "final class Helper {\n    static int pick(int count) {\n        return 7 % count;\n    \
             }\n}\n",
        )],
        told: &["Every `.java` file in this folder"],
    };
    grows("java", &["java", "javac", "jar"], &growth);
}

#[test]
fn rust() {
    let growth = Growth {
        edits: &[
            (
                "random.rs",
                "use std::collections::HashMap;",
                "mod helper;\n\nuse std::collections::HashMap;",
            ),
            (
                "random.rs",
                "seed.checked_rem(moves.len() as u64)?",
                "helper::pick(seed, moves.len() as u64)",
            ),
        ],
        files: &[("helper.rs", "pub fn pick(_seed: u64, count: u64) -> u64 {\n    7 % count\n}\n")],
        told: &["`mod helper;`"],
    };
    grows("rust", &["rustc"], &growth);
}
