package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import org.jspecify.annotations.Nullable;

/** The object of a node at which peers put values near a service or an object; it has no value itself. */
final class Storeroom implements Slot {

    private final Stock stock;

    Storeroom(Stock stock) {
        this.stock = requireNonNull(stock, "stock");
    }

    @Override
    public Ref<Object> create(String type, int size) {
        return stock.created(type, size);
    }

    @Override
    public Ref<Object> put(Object value) {
        return stock.put(value);
    }

    @Override
    public Object get() {
        throw hasNoValue();
    }

    @Override
    public void set(@Nullable Object value) {
        throw hasNoValue();
    }

    @Override
    public int length() {
        throw hasNoValue();
    }

    @Override
    public Object read(int from, int to) {
        throw hasNoValue();
    }

    @Override
    public void write(int at, Object elements) {
        throw hasNoValue();
    }

    @Override
    public void free() {
        throw hasNoValue();
    }

    private static UnsupportedOperationException hasNoValue() {
        return new UnsupportedOperationException("a storeroom has no value (expected: create or put)");
    }
}
