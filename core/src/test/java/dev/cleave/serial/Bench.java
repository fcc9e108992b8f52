package dev.cleave.serial;

import dev.cleave.CallException.CallSite;
import dev.cleave.ValueCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A writer and a reader with the same policy, and the announcements between them. */
final class Bench {

    static final CallSite SITE = new CallSite("shop", "Shop.order", "shop-1", false);

    private final Numbers numbers = new Numbers();
    private final AnnouncedNames names = new AnnouncedNames();
    private final Announcements announcements = new Announcements(numbers, names::announced);
    private final Codec codec;

    private Bench(TypePolicy policy) {
        codec = new Codec(policy, numbers);
    }

    static Bench of(Type... types) {
        return new Bench(policy(List.of(), types));
    }

    static Bench allowing(Collection<Class<?>> allowed, Type... types) {
        return new Bench(policy(allowed, types));
    }

    static Bench writtenBy(List<ValueCodec<?>> codecs, Type... types) {
        return new Bench(TypePolicy.of(
                Arrays.stream(types)
                        .map(t -> new TypePolicy.Root(t, "Shop.order: parameter 1 (item)"))
                        .toList(),
                List.of(),
                codecs));
    }

    static TypePolicy policy(Collection<Class<?>> allowed, Type... types) {
        return TypePolicy.of(
                Arrays.stream(types)
                        .map(t -> new TypePolicy.Root(t, "Shop.order: parameter 1 (item)"))
                        .toList(),
                allowed);
    }

    Codec codec() {
        return codec;
    }

    AnnouncedNames names() {
        return names;
    }

    ByteBuf write(Object... values) {
        ByteBuf buffer = Unpooled.buffer();
        ValueWriter writer = codec.writer(buffer);
        for (Object value : values) {
            writer.putObject(value);
        }
        announcements.upTo(writer.finish(i -> "Shop.order: parameter " + (i + 1)));
        return buffer;
    }

    Object read(ByteBuf bytes) {
        try (ValueReader reader = codec.reader(bytes, names)) {
            return reader.takeObject();
        }
    }

    Object read(ByteBuf bytes, Declared... declared) {
        try (ValueReader reader = codec.reader(bytes, names).expecting(List.of(declared))) {
            return reader.takeObject();
        }
    }

    @SuppressWarnings("unchecked")
    <T> T copy(T value) {
        return (T) read(write(value));
    }

    Throwable thrown(Throwable thrown) {
        ByteBuf buffer = Unpooled.buffer();
        announcements.upTo(codec.writeThrown(thrown, buffer));
        return codec.readThrown(buffer, names, SITE, TimeLimit.NONE);
    }
}
