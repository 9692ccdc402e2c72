//! Bots that meddle with files: what they are given, and what must be as it was.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::bench::Bench;

/// What stands in a file that no bot may touch.
const PRECIOUS: &str = "precious";

/// The bot gets a folder outside of its own that it links to.
pub(crate) fn litter(bench: &Bench) -> String {
    let outside = bench.path("outside");
    fs::create_dir(&outside).expect("a folder");
    bench.write("outside/file", PRECIOUS);
    for (path, mode) in [("outside/file", 0o440), ("outside", 0o550)] {
        fs::set_permissions(bench.path(path), mode_of(mode)).expect("it is ours");
    }
    bench.faulty(&format!("litter '{}'", outside.display()))
}

/// Clean-up has followed no link, neither to remove something nor to make it removable.
pub(crate) fn outside_is_untouched(bench: &Bench) {
    let file = bench.path("outside/file");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), PRECIOUS);
    for (path, mode) in [(file, 0o440), (bench.path("outside"), 0o550)] {
        let found = fs::metadata(&path).expect("it is there").permissions().mode();
        assert_eq!(found & 0o777, mode, "{}", path.display());
    }
    fs::set_permissions(bench.path("outside"), mode_of(0o750)).expect("it is ours");
}

/// The home of a bot is its scratch folder: that of the referee is somewhere else.
pub(crate) fn home_is_untouched(bench: &Bench) {
    assert!(!bench.path(".profile").exists());
}

pub(crate) fn replaces_itself(bench: &Bench) -> String {
    own_program(bench, "replace-self")
}

pub(crate) fn renews_itself(bench: &Bench) -> String {
    own_program(bench, "renew-self")
}

pub(crate) fn deletes_itself(bench: &Bench) -> String {
    own_program(bench, "delete-self")
}

pub(crate) fn becomes_a_link(bench: &Bench) -> String {
    becomes(bench, "link")
}

pub(crate) fn becomes_a_long_name(bench: &Bench) -> String {
    becomes(bench, "long-name")
}

pub(crate) fn becomes_a_device(bench: &Bench) -> String {
    becomes(bench, "device")
}

pub(crate) fn becomes_a_pipe(bench: &Bench) -> String {
    becomes(bench, "fifo")
}

pub(crate) fn becomes_a_socket(bench: &Bench) -> String {
    becomes(bench, "socket")
}

pub(crate) fn becomes_a_folder(bench: &Bench) -> String {
    becomes(bench, "folder")
}

fn becomes(bench: &Bench, how: &str) -> String {
    let own = bench.path("own-program");
    own_program(bench, &format!("replace-by {how} '{}'", own.display()))
}

pub(crate) fn closes_itself(bench: &Bench) -> String {
    own_program(bench, "close-self")
}

/// The file that a bot names in its command becomes a link to itself.
pub(crate) fn spoils_its_data(bench: &Bench) -> String {
    let data = bench.write("data", "precious");
    bench.faulty(&format!("replace-by link '{}'", data.display()))
}

/// The folder of the program becomes a link to itself.
pub(crate) fn spoils_its_folder(bench: &Bench) -> String {
    let folder = bench.path("own-folder");
    let way = format!("rm -r '{0}'; ln -s own-folder '{0}'", folder.display());
    fs::create_dir(&folder).expect("a folder");
    script(bench, "own-folder/bot", "/bin/sh", &way)
}

pub(crate) fn links_its_interpreter(bench: &Bench) -> String {
    with_interpreter(bench, "ln -sf own-sh")
}

pub(crate) fn replaces_its_interpreter(bench: &Bench) -> String {
    with_interpreter(bench, "ln -sf /bin/cat")
}

/// A script whose interpreter is a copy of the shell, into whose place it puts something else.
fn with_interpreter(bench: &Bench, replace: &str) -> String {
    let own = bench.copy(Path::new("/bin/sh"), "own-sh").display().to_string();
    script(bench, "bot.sh", &own, &format!("{replace} '{own}'"))
}

/// A script that gives the first legal move, and does something once it has a request.
fn script(bench: &Bench, name: &str, interpreter: &str, does: &str) -> String {
    let text = format!(
        "#!{interpreter}\nanswer=$(sed -n '/^legal/{{n;p;q;}}')\n\
         [ -z \"$answer\" ] || {{ {does}; }}\nprintf '%s\\n' \"$answer\"\n"
    );
    let written = bench.write("text", text);
    fs::set_permissions(&written, mode_of(0o755)).expect("it is ours");
    format!("'{}'", bench.copy(&written, name).display())
}

/// A script grows by a line with each answer; without a request there is none.
pub(crate) fn changes_its_script(bench: &Bench) -> String {
    let script = "answer=$(sed -n '/^legal/{n;p;q;}')\n\
                  [ -z \"$answer\" ] || echo '# changed' >>\"$0\"\n\
                  printf '%s\\n' \"$answer\"\n";
    format!("/bin/sh '{}'", bench.write("bot.sh", script).display())
}

/// A copy of the faulty bot, which nobody else runs.
fn own_program(bench: &Bench, mode: &str) -> String {
    let path = bench.copy(&bench.program("faulty"), "own-program");
    format!("'{}' {mode} {}", path.display(), bench.marker())
}

fn mode_of(mode: u32) -> fs::Permissions {
    fs::Permissions::from_mode(mode)
}
