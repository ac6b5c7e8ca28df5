#include "scope/observers/hazards/undefined_memory.h"

#include <algorithm>

namespace tilescope::observers {

using machine::Allocation;
using machine::AllocationKind;

namespace {

// Padding of structures is less than this, so what is never written of an aligned piece may be padding.
constexpr std::uint64_t kAlignedPiece = 16;
// A store of its own that writes as much and nothing else moves a value; less may be a part of a structure.
constexpr std::uint64_t kMoved = 4;
// Values of which one copy to the host tells.
constexpr std::size_t kMaxHostReads = 8;

// Calls visit(offset of the row) for each row.
template <class Visit>
void for_each_row(const machine::Rows& rows, const machine::RowsExtent& extent, Visit visit) {
    for (std::uint64_t z = 0; z < extent.slices; ++z)
        for (std::uint64_t y = 0; y < extent.rows; ++y) visit(rows.address + z * rows.slice + y * rows.pitch, z, y);
}

}  // namespace

std::uint32_t UndefinedValues::number_of(const UndefinedValue& value) {
    const Key key{value.space,     value.read.program, value.read.op, value.stored.program,
                  value.stored.op, value.is_computed,  value.is_whole};
    const auto [found, is_new] = numbers_.try_emplace(key, count() + 1);
    if (is_new) values_.push_back(value);
    return found->second;
}

std::uint32_t UndefinedValues::computed(std::uint32_t number) {
    if (number == 0 || values_[number - 1].is_computed) return number;
    UndefinedValue value = values_[number - 1];
    value.is_computed = true;
    return number_of(value);
}

std::uint32_t UndefinedValues::stored(std::uint32_t number, const machine::Program* program, std::uint32_t op,
                                      bool is_whole) {
    UndefinedValue value = values_[number - 1];
    if (value.stored.program == program && value.stored.op == op && value.is_whole == is_whole) return number;
    value.stored = {program, op, {}, {}, 0};
    value.is_whole = is_whole;
    return number_of(value);
}

bool UndefinedValues::is_moved_data(std::uint32_t number) const {
    const UndefinedValue& value = values_[number - 1];
    return value.is_whole && !value.is_computed && data_.count({value.stored.program, value.stored.op}) != 0;
}

std::shared_ptr<UndefinedMemory::Region> UndefinedMemory::find(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto above = regions_.upper_bound(address);
    if (above == regions_.begin()) return nullptr;
    const auto& region = (--above)->second;
    return region->allocation.contains(address, 1) ? region : nullptr;
}

std::uint64_t UndefinedMemory::table_bytes() const {
    const std::lock_guard lock(mutex_);
    std::uint64_t bytes = 0;
    for (const auto& [base, region] : regions_) bytes += region->bytes.table_bytes();
    return bytes;
}

void UndefinedMemory::define_all() {
    const std::lock_guard lock(mutex_);
    for (const auto& [base, region] : regions_) region->bytes.define(0, region->allocation.size);
}

void UndefinedMemory::on_allocate(const machine::AllocationEvent& event) {
    const Allocation& allocation = event.allocation;
    if (allocation.kind != AllocationKind::kDevice && allocation.kind != AllocationKind::kHeap &&
        allocation.kind != AllocationKind::kArray)
        return;
    if (allocation.size == 0) return;
    auto region = std::shared_ptr<Region>(new Region{allocation, UndefinedBytes(allocation.size)});
    const std::lock_guard lock(mutex_);
    regions_[allocation.base] = std::move(region);
    version_.fetch_add(1, std::memory_order_release);
}

void UndefinedMemory::on_release(const machine::AllocationEvent& event) {
    const std::lock_guard lock(mutex_);
    forget_skipped(event.allocation);
    if (regions_.erase(event.allocation.base) != 0) version_.fetch_add(1, std::memory_order_release);
}

void UndefinedMemory::on_set(const machine::SetEvent& event) {
    for_each_row(event.target, event.extent, [&](std::uint64_t row, std::uint64_t, std::uint64_t) {
        if (const auto region = find(row); region && region->allocation.contains(row, event.extent.width))
            region->bytes.define(row - region->allocation.base, event.extent.width);
    });
}

void UndefinedMemory::on_copy(const machine::CopyEvent& event) {
    if (event.extent.bytes() == 0) return;
    const std::optional<Allocation> target = memory_.find(event.target.address);
    const bool is_host =
        !target || target->kind == AllocationKind::kPinned || target->kind == AllocationKind::kRegistered;
    if (is_host) return read_by_host(event);
    for_each_row(event.target, event.extent, [&](std::uint64_t target, std::uint64_t z, std::uint64_t y) {
        copy_row(target, event.source.address + z * event.source.slice + y * event.source.pitch, event.extent.width);
    });
}

void UndefinedMemory::copy_row(std::uint64_t target, std::uint64_t source, std::uint64_t bytes) {
    const auto to = find(target), from = find(source);
    if (!to || !to->allocation.contains(target, bytes)) return;
    const std::uint64_t to_base = target - to->allocation.base;
    if (!from || !from->allocation.contains(source, bytes)) return to->bytes.define(to_base, bytes);
    const std::uint64_t from_base = source - from->allocation.base;
    for (std::uint64_t at = 0; at < bytes;) {
        const std::uint64_t here = std::min(bytes - at, UndefinedBytes::kPageBytes);
        if (!from->bytes.any(from_base + at, here)) {
            to->bytes.define(to_base + at, here);
        } else if (from->bytes.is_fresh(from_base + at, here)) {
            to->bytes.undefine(to_base + at, here);
        } else {
            for (std::uint64_t i = at; i < at + here; ++i) {
                const std::uint8_t bits = from->bytes.bits(from_base + i);
                to->bytes.set_bits(to_base + i, bits);
                if (bits != 0) to->bytes.set_brought_by(to_base + i, from->bytes.brought_by(from_base + i));
            }
        }
        at += here;
    }
}

struct UndefinedMemory::Scan {
    std::uint64_t never = 0;   // bytes that nobody wrote
    std::uint64_t pieces = 0;  // of these, in whole aligned pieces
    std::uint64_t first = 0;   // such byte
    std::uint32_t value = 0;   // that was stored there
    std::vector<HostRead> values;

    void add(const HostRead& read) {
        const auto known = std::find_if(values.begin(), values.end(),
                                        [&](const HostRead& other) { return other.value == read.value; });
        if (known != values.end())
            known->undefined += read.undefined;
        else if (values.size() < kMaxHostReads)
            values.push_back(read);
    }
};

void UndefinedMemory::scan(Region& region, std::uint64_t from, std::uint64_t bytes, Scan& scan) {
    std::uint64_t run = 0;    // of bytes that nobody wrote, up to here
    std::uint64_t moved = 0;  // of bytes that one value brought, up to here
    std::uint32_t number = 0;
    const auto end_run = [&](std::uint64_t end) {
        const std::uint64_t begin = (end - run + kAlignedPiece - 1) / kAlignedPiece * kAlignedPiece,
                            whole = end / kAlignedPiece * kAlignedPiece;
        if (whole > begin) {
            if (scan.pieces == 0) {
                scan.first = begin;
                scan.value = region.bytes.brought_by(begin);
            }
            scan.pieces += whole - begin;
        }
        run = 0;
    };
    const auto end_moved = [&](std::uint64_t end) {
        if (moved >= kMoved) scan.add({HostReadKind::kMoved, 0, 0, moved, end - moved, region.allocation, number});
        moved = 0;
    };
    for (std::uint64_t at = from; at < from + bytes;) {
        const std::uint64_t here = std::min(from + bytes - at, UndefinedBytes::kPageBytes);
        if (!region.bytes.any(at, here)) {
            end_run(at);
            end_moved(at);
        } else if (region.bytes.is_fresh(at, here)) {
            end_moved(at);
            run += here;
            scan.never += here;
        } else {
            for (std::uint64_t i = at; i < at + here; ++i) {
                const std::uint8_t bits = region.bytes.bits(i);
                const std::uint32_t brought = bits == 0 ? 0 : region.bytes.brought_by(i);
                const bool is_computed = brought != 0 && values_[brought].is_computed;
                const bool is_moved = brought != 0 && values_.is_moved_data(brought);
                if (!is_moved || brought != number) end_moved(i);
                if (is_moved || is_computed || bits == 0) end_run(i);
                if (is_moved) {
                    number = brought;
                    ++moved;
                } else if (is_computed) {
                    scan.add({HostReadKind::kUndefined, 0, 0, 1, i, region.allocation, brought});
                } else if (bits != 0) {
                    ++run;
                    ++scan.never;
                }
            }
        }
        at += here;
    }
    end_run(from + bytes);
    end_moved(from + bytes);
}

void UndefinedMemory::forget_skipped(const Allocation& allocation) {
    std::erase_if(skipped_, [&](const SkippedField& field) { return allocation.contains(field.address, 1); });
}

namespace {

bool is_unwritten(const UndefinedBytes& bytes, std::uint64_t from, std::uint64_t count) {
    constexpr std::uint8_t kAllBits = 0xff;
    for (std::uint64_t at = from; at < from + count; ++at)
        if (bytes.bits(at) != kAllBits || bytes.brought_by(at) != 0) return false;
    return true;
}

}  // namespace

// Fields that were left out, that nobody has written since, and that the host reads. Each is told of once.
void UndefinedMemory::find_skipped(const machine::CopyEvent& event, std::vector<HostRead>& reads) {
    for_each_row(event.source, event.extent, [&](std::uint64_t row, std::uint64_t, std::uint64_t) {
        std::erase_if(skipped_, [&](const SkippedField& field) {
            if (field.address < row || field.address - row >= event.extent.width) return false;
            const auto region = find(field.address);
            if (!region || !region->allocation.contains(field.address, field.bytes)) return true;
            const std::uint64_t offset = field.address - region->allocation.base;
            if (!is_unwritten(region->bytes, offset, field.bytes)) return true;
            const bool is_listed = std::any_of(reads.begin(), reads.end(), [&](const HostRead& read) {
                return read.skipped && read.skipped->store.program == field.store.program &&
                       read.skipped->store.op == field.store.op;
            });
            if (is_listed) return true;
            HostRead read{HostReadKind::kSkippedField, 0, 0, field.bytes, offset, region->allocation, 0};
            read.skipped = field;
            reads.push_back(std::move(read));
            return true;
        });
    });
}

void UndefinedMemory::read_by_host(const machine::CopyEvent& event) {
    Scan found;
    std::shared_ptr<Region> region;
    for_each_row(event.source, event.extent, [&](std::uint64_t row, std::uint64_t, std::uint64_t) {
        const auto here = find(row);
        if (!here || !here->allocation.contains(row, event.extent.width)) return;
        region = here;
        scan(*region, row - region->allocation.base, event.extent.width, found);
    });
    if (!region) return;
    const std::uint64_t bytes = event.extent.bytes();
    const bool is_all = found.never == bytes;
    std::vector<HostRead> reads = std::move(found.values);
    if (is_all || found.pieces != 0) {
        HostRead read{HostReadKind::kPartly, 0, 0, found.pieces, found.first, region->allocation, found.value};
        if (is_all) {
            const std::uint64_t first = event.source.address - region->allocation.base;
            read = {HostReadKind::kNeverWritten,    0, 0, bytes, first, region->allocation,
                    region->bytes.brought_by(first)};
        }
        reads.push_back(read);
    }
    if (!skipped_.empty()) find_skipped(event, reads);
    if (reads.empty()) return;
    const std::uint64_t site = site_ ? site_() : 0;
    const std::lock_guard lock(mutex_);
    for (HostRead& read : reads) {
        read.site = site;
        read.bytes = bytes;
        reads_.push_back(read);
    }
    has_news_.store(true, std::memory_order_release);
}

std::vector<HostRead> UndefinedMemory::take() {
    const std::lock_guard lock(mutex_);
    has_news_.store(false, std::memory_order_release);
    return std::exchange(reads_, {});
}

// What blocks that did not run would have written is not known.
void UndefinedMemory::on_launch_end(const machine::LaunchEvent& event, const machine::Observer*) {
    const std::uint64_t blocks = std::uint64_t{event.grid[0]} * event.grid[1] * event.grid[2];
    if (event.has_faulted || event.blocks_run < blocks) define_all();
}

}  // namespace tilescope::observers
