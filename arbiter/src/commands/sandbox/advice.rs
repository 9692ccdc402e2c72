//! Advice for administrators on the layers that a machine refuses, based on its settings.

use std::fs;

use sandbox::isolation::{Layer, Layers};

/// Facts that show why a layer is refused.
#[derive(Debug, Clone, Default)]
struct SystemSettings {
    /// True if this process may mount, so that namespaces need no further right.
    may_mount: bool,
    /// True if this process is under a filter of system calls, as in containers.
    is_filtered: bool,
    /// True if parts of `/proc` are covered, as in containers.
    is_masked: bool,
    /// `kernel.unprivileged_userns_clone`, if set.
    userns_clone: Option<String>,
    /// `kernel.apparmor_restrict_unprivileged_userns`, if set.
    apparmor_userns: Option<String>,
    /// `user.max_user_namespaces`, if set.
    most_namespaces: Option<String>,
    /// The AppArmor profile of this process, if any.
    profile: Option<String>,
    /// The security modules of the kernel, if it lists them.
    modules: Option<String>,
    /// The version of the kernel, as `6.8.0-31-generic`.
    kernel: Option<String>,
}

/// Lines of advice; none if all layers are on.
pub(super) fn advice(layers: &Layers) -> Vec<String> {
    if layers.refused.is_empty() {
        Vec::new()
    } else {
        SystemSettings::of_this_machine().advice(layers)
    }
}

impl SystemSettings {
    fn of_this_machine() -> SystemSettings {
        let value = |path: &str| Some(fs::read_to_string(path).ok()?.trim().to_owned());
        let status = value("/proc/self/status").unwrap_or_default();
        let field =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let rights = field("CapEff").and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
        let mounts = value("/proc/self/mountinfo").unwrap_or_default();
        let mut places = mounts.lines().filter_map(|line| line.split(' ').nth(4));
        SystemSettings {
            may_mount: rights.is_some_and(|rights| rights & 1 << SYS_ADMIN != 0),
            is_filtered: field("Seccomp").is_some_and(|mode| mode.trim() == "2"),
            is_masked: places.any(is_mask),
            userns_clone: value("/proc/sys/kernel/unprivileged_userns_clone"),
            apparmor_userns: value("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            most_namespaces: value("/proc/sys/user/max_user_namespaces"),
            profile: value("/proc/self/attr/apparmor/current"),
            modules: value("/sys/kernel/security/lsm"),
            kernel: value("/proc/sys/kernel/osrelease"),
        }
    }

    fn advice(&self, layers: &Layers) -> Vec<String> {
        let is_refused = |layer| layers.refused.iter().any(|(refused, _)| *refused == layer);
        let wants_namespaces = OF_NAMESPACES.into_iter().any(is_refused);
        let mut advice = Vec::new();
        if wants_namespaces {
            advice.extend(self.namespaces());
        }
        if is_refused(Layer::Landlock) {
            advice.extend(self.landlock());
        }
        let wants_calls = wants_namespaces || is_refused(Layer::Landlock);
        if self.is_filtered && wants_calls {
            advice.push(
                "start the container with --security-opt seccomp=unconfined, whose filter may \
                 refuse these calls"
                    .to_owned(),
            );
        }
        advice
    }

    fn namespaces(&self) -> Vec<String> {
        let mut advice = Vec::new();
        if self.most_namespaces.as_deref() == Some("0") {
            advice.push("sysctl user.max_user_namespaces=10000".to_owned());
        }
        if self.may_mount {
            return advice;
        }
        if self.userns_clone.as_deref() == Some("0") {
            advice.push("sysctl kernel.unprivileged_userns_clone=1".to_owned());
        }
        if self.apparmor_userns.as_deref() == Some("1") {
            advice.push(
                "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile of AppArmor \
                 for arbiter with the line `userns,`"
                    .to_owned(),
            );
        }
        if self.is_masked {
            advice.push(
                "start the container with --security-opt systempaths=unconfined, since parts of \
                 its /proc are covered (podman: unmask=ALL)"
                    .to_owned(),
            );
        }
        if let Some(profile) = self.profile.as_deref().filter(|it| it.contains("(enforce)")) {
            let name = profile.split(' ').next().unwrap_or(profile);
            advice.push(format!(
                "start the container with --security-opt apparmor=unconfined, since the profile \
                 {name} may refuse mounts"
            ));
        }
        advice
    }

    fn landlock(&self) -> Option<String> {
        let is_old = self.kernel.as_deref().and_then(version).is_some_and(|it| it < (5, 13));
        match &self.modules {
            _ if is_old => Some("a kernel of version 5.13 or newer, for Landlock".to_owned()),
            Some(modules) if !modules.split(',').any(|module| module == "landlock") => Some(
                format!("the boot parameter lsm=landlock,{modules} of the kernel, for Landlock"),
            ),
            _ => None,
        }
    }
}

/// The layers that need namespaces.
const OF_NAMESPACES: [Layer; 6] =
    [Layer::User, Layer::Processes, Layer::Files, Layer::Network, Layer::Ipc, Layer::Host];

/// The number of the capability to mount.
const SYS_ADMIN: u32 = 21;

/// Returns true if a mount covers something that a new `/proc` would show.
fn is_mask(place: &str) -> bool {
    place.starts_with("/proc/") && place != "/proc/sys/fs/binfmt_misc"
}

/// The first two numbers of a version.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(layers: &[Layer]) -> Layers {
        let refused = layers.iter().map(|layer| (*layer, "why".to_owned())).collect();
        Layers { on: Vec::new(), refused }
    }

    fn text(value: &str) -> Option<String> {
        Some(value.to_owned())
    }

    #[test]
    fn only_what_applies_is_said() {
        let none = SystemSettings::default();
        let fine = SystemSettings {
            userns_clone: text("1"),
            apparmor_userns: text("0"),
            most_namespaces: text("15000"),
            profile: text("unconfined"),
            modules: text("lockdown,landlock,yama"),
            kernel: text("6.8.0-31-generic"),
            ..SystemSettings::default()
        };
        for settings in [none, fine] {
            assert_eq!(settings.advice(&without(&Layer::ALL)), Vec::<String>::new());
        }
    }

    #[test]
    fn each_setting_has_its_remedy() {
        let advice =
            |settings: SystemSettings, layer| settings.advice(&without(&[layer])).join("\n");
        let told = |settings: SystemSettings, layer, expected: &str| {
            let told = advice(settings.clone(), layer);
            assert!(told.starts_with(expected), "{told}");
            assert_eq!(advice(settings, Layer::Privileges), "");
        };
        let usual = SystemSettings::default;
        let files = Layer::Files;
        let clone = SystemSettings { userns_clone: text("0"), ..usual() };
        told(clone.clone(), files, "sysctl kernel.unprivileged_userns_clone=1");
        assert_eq!(advice(SystemSettings { may_mount: true, ..clone }, files), "");
        let ubuntu = SystemSettings { apparmor_userns: text("1"), ..usual() };
        told(ubuntu, files, "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile");
        let most = SystemSettings { most_namespaces: text("0"), may_mount: true, ..usual() };
        told(most, files, "sysctl user.max_user_namespaces=10000");
        let container = SystemSettings { is_filtered: true, ..usual() };
        told(container, files, "start the container with --security-opt seccomp=unconfined");
        let masked = SystemSettings { is_masked: true, ..usual() };
        told(masked, files, "start the container with --security-opt systempaths=unconfined");
        let modules = SystemSettings { modules: text("yama,apparmor"), ..usual() };
        told(modules, Layer::Landlock, "the boot parameter lsm=landlock,yama,apparmor");
        let old = SystemSettings { kernel: text("5.10.0"), modules: text("yama"), ..usual() };
        told(old, Layer::Landlock, "a kernel of version 5.13");
    }

    #[test]
    fn a_mount_below_proc_covers_something() {
        assert!(is_mask("/proc/kcore") && is_mask("/proc/acpi"));
        assert!(!is_mask("/proc") && !is_mask("/process") && !is_mask("/proc/sys/fs/binfmt_misc"));
    }
}
