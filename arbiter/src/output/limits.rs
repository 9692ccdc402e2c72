//! What an answer may take, in words.

use bytesize::ByteSize;

use crate::series::LimitsLine;
use crate::text::counted;

/// The limits of a player that one may run into, in one line; 0 stands for none, as of a person.
pub(crate) fn limits(limits: &LimitsLine) -> String {
    let size = |bytes| ByteSize(bytes).to_string();
    let (cpu_ms, address_space) =
        (limits.cpu_ms.unwrap_or(0), limits.address_space_bytes.unwrap_or(0));
    let told = [
        (limits.time_ms, format!("{} ms", limits.time_ms)),
        (cpu_ms, format!("{cpu_ms} ms of CPU time")),
        (limits.memory_bytes, format!("{} of memory", size(limits.memory_bytes))),
        (address_space, format!("{} of address space", size(address_space))),
        (limits.processes.into(), counted(limits.processes, "process", "processes")),
        (limits.answer_bytes, format!("{} of output", size(limits.answer_bytes))),
    ];
    let told: Vec<_> = told.into_iter().filter(|(limit, _)| *limit > 0).map(|(_, it)| it).collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}
