package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import org.jspecify.annotations.Nullable;

/**
 * The object that one peer calls: a value of this node, or the place near a service or an object at which peers put values, which has no
 * value itself. What the peer puts there counts for it.
 */
final class PeersSlot implements Slot {

    private final @Nullable StoredValue stored; // null: the place
    private final Stock stock;
    private final StoredRoom.Share share;

    PeersSlot(@Nullable StoredValue stored, Stock stock, StoredRoom.Share share) {
        this.stored = stored;
        this.stock = requireNonNull(stock, "stock");
        this.share = requireNonNull(share, "share");
    }

    @Override
    public @Nullable Object get() {
        return stored().get();
    }

    @Override
    public void set(@Nullable Object value) {
        stored().set(value);
    }

    @Override
    public int length() {
        return stored().length();
    }

    @Override
    public Object read(int from, int to) {
        return stored().read(from, to);
    }

    @Override
    public void write(int at, Object elements) {
        stored().write(at, elements);
    }

    @Override
    public void free() {
        stored().free();
    }

    @Override
    public Ref<Object> create(String type, int size) {
        return stock.created(type, size, share);
    }

    @Override
    public Ref<Object> put(Object value) {
        return stock.put(value, share);
    }

    private StoredValue stored() {
        if (stored == null) {
            throw new UnsupportedOperationException("a storeroom has no value (expected: create or put)");
        }
        return stored;
    }
}
