// What a SecondLevel notes of a launch: which sectors have been there, whose they are, and who has requested them.
#include <utility>

#include "scope/observers/hierarchy/l2/second_level.h"

namespace tilescope::observers {

void SecondLevel::begin_launch(std::size_t ops, std::shared_ptr<const BufferMap> buffers) {
    buffers_ = std::move(buffers);
    clock_stands_ = false;
    // Eight lines that follow each other are in different slices, where the sets go round by eights.
    const std::uint64_t bit = (rules_.home_mask & -rules_.home_mask) >> kLineShift;
    const bool by_eights = sets_ % kSlices == 0 && (rules_.parts == 1 || bit % kSlices == 0);
    for (Slice& slice : slices_) {
        slice.notes = LineNotes<Note>(by_eights ? kSlices : 1);
        slice.unasked.assign(ops, 0);
        slice.by_buffer.assign(buffers_->count(), {});
        slice.range = {};
        slice.memory.begin_launch(dram_, kSlices);
        slice.read = slice.read_in_time = slice.written = slice.written_in_time = 0;
    }
}

MemoryTraffic& SecondLevel::traffic_of(std::uint64_t line, Slice& slice) const {
    if (!slice.range.holds(line)) slice.range = buffers_->find(line);
    return slice.by_buffer[slice.range.buffer];
}

// What a neighbour brought along is of use after all.
void SecondLevel::note_use(Note& note, const Way& way, unsigned sectors, Slice& slice) const {
    MemoryTraffic& traffic = traffic_of(way.line, slice);
    for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
        if ((sectors & note.unasked & 1u << sector) == 0) continue;
        std::uint64_t& bytes = slice.unasked[way.op[sector / 2]];
        // The two parts may have had it fetched at different times: a copy is used once.
        if (bytes < kSectorBytes || traffic.unasked < kSectorBytes) continue;
        bytes -= kSectorBytes;
        traffic.unasked -= kSectorBytes;
    }
    note.unasked = static_cast<std::uint8_t>(note.unasked & ~sectors);
}

// Of `fetched`, the neighbours of what was requested are of no use yet.
void SecondLevel::note_asked(Note& note, Way& way, unsigned sectors, unsigned fetched, Serving& serving) const {
    if ((sectors & note.unasked & ~fetched) != 0) note_use(note, way, sectors & ~fetched, serving.slice);
    const unsigned more = fetched & ~sectors;
    if (more != 0) {
        const std::uint64_t bytes = std::uint64_t{kSectorBytes} * sector_count(more);
        serving.slice.unasked[serving.op] += bytes;
        traffic_of(way.line, serving.slice).unasked += bytes;
    }
    note.unasked = static_cast<std::uint8_t>((note.unasked & ~sectors) | more);
    note.seen = static_cast<std::uint8_t>(note.seen | sectors | fetched);
    way.noted = static_cast<std::uint8_t>(way.noted | sectors);
}

void SecondLevel::note_read(unsigned part, Way& near, const Looked& looked, Serving& serving) const {
    Note& note = serving.slice.notes.of(near.line);
    if (looked.missing != 0) {
        SectorReasons& why = serving.response.why;
        const unsigned outdated = looked.elsewhere & note.outdated[part];
        const unsigned from_memory = looked.missing & ~looked.elsewhere & ~looked.in_part;
        why.add(looked.in_part, SecondMiss::kPartWritten);
        why.add(outdated, SecondMiss::kOutdated);
        why.add(looked.elsewhere & ~outdated, SecondMiss::kOtherPart);
        why.add(from_memory & note.seen, SecondMiss::kCapacity);
        why.add(from_memory & ~note.seen, SecondMiss::kFirstTouch);
        // The neighbours of what was missing came here as well.
        note.outdated[part] = static_cast<std::uint8_t>(note.outdated[part] & ~near.valid);
    }
    note_asked(note, near, looked.sectors, looked.fetched, serving);
}

// `copied`: sectors of which the writer's part has a copy again.
void SecondLevel::note_write(unsigned part, Way& way, const Piece& piece, unsigned copied, Slice& slice) const {
    Note& note = slice.notes.of(way.line);
    note.outdated[part] = static_cast<std::uint8_t>(note.outdated[part] & ~copied);
    // Of a sector that was fetched and is written in part the rest is of use.
    if ((note.unasked & piece.in_part()) != 0) note_use(note, way, piece.in_part(), slice);
    note.unasked = static_cast<std::uint8_t>(note.unasked & ~piece.sectors);
    note.seen = static_cast<std::uint8_t>(note.seen | piece.sectors);
    way.noted = static_cast<std::uint8_t>(way.noted | piece.sectors);
}

std::vector<MemoryTraffic> SecondLevel::by_buffer() const {
    std::vector<MemoryTraffic> all(buffers_->count());
    for (const Slice& slice : slices_)
        for (std::size_t i = 0; i < all.size(); ++i) all[i] += slice.by_buffer[i];
    return all;
}

std::vector<std::uint64_t> SecondLevel::unasked() const {
    std::vector<std::uint64_t> all(slices_.front().unasked.size());
    for (const Slice& slice : slices_)
        for (std::size_t i = 0; i < all.size(); ++i) all[i] += slice.unasked[i];
    return all;
}

std::uint64_t SecondLevel::note_bytes() const {
    std::uint64_t bytes = 0;
    for (const Slice& slice : slices_) bytes += slice.notes.bytes();
    return bytes;
}

}  // namespace tilescope::observers
