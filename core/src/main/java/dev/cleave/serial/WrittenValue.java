package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.Later;
import dev.cleave.stream.Block;
import dev.cleave.stream.BlockFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value as it was written to be sent. It can be read again where it was written, or where it has been taken to in
 * parts, and each reader gets an object of its own. Immutable.
 */
public final class WrittenValue {

    /** The value of a call that has ended with a result, for those that need not know the result. */
    public static final WrittenValue NOTHING = of(ValueKind.BOOLEAN, new byte[0], List.of(), List.of());

    private final ValueKind kind;
    private final byte[] bytes;
    private final List<Block> blocks;
    private final List<String> types;
    private final AnnouncedNames names;

    /**
     * The parts of a value on its way to another node.
     *
     * @param kind the ordinal of its {@link ValueKind}
     * @param bytes all but its large arrays
     * @param types the names of types, by the numbers that the bytes have for them
     * @param arrays its large arrays
     * @param hasObjects whether the last array has the bytes of its objects
     */
    public record Parts(int kind, byte[] bytes, List<String> types, List<Object> arrays, boolean hasObjects) {}

    private WrittenValue(ValueKind kind, byte[] bytes, List<Block> blocks, List<String> types) {
        this.kind = kind;
        this.bytes = bytes;
        this.blocks = blocks;
        this.types = types;
        names = new AnnouncedNames();
        names.announced(0, types);
    }

    /**
     * Keeps a value that was written by a node.
     *
     * @param bytes as they were written; not copied
     * @param blocks the large arrays that follow; copied
     * @param types the names of all types up to the highest number among the bytes
     */
    public static WrittenValue of(ValueKind kind, byte[] bytes, List<Block> blocks, List<String> types) {
        return new WrittenValue(kind, bytes, copies(blocks), types);
    }

    /**
     * Keeps a value that was written to be streamed, as one that comes whole.
     *
     * @param types the names of all types up to the highest number among its bytes
     */
    static WrittenValue of(WholeForm form, List<String> types) {
        return new WrittenValue(form.kind(), form.bytes(), form.blocks(), types);
    }

    /**
     * Puts the parts of a value together that another node has sent.
     *
     * @throws SerialException if they are not those of a value
     */
    public static WrittenValue of(Parts parts) {
        ValueKind[] kinds = ValueKind.values();
        if (parts.kind() < 0 || parts.kind() >= kinds.length) {
            throw SerialException.malformed("kind of a value: " + parts.kind());
        }
        List<Block> blocks = new ArrayList<>();
        int last = parts.hasObjects() ? parts.arrays().size() - 1 : -1;
        for (int i = 0; i < parts.arrays().size(); i++) {
            Object array = parts.arrays().get(i);
            if (i == last && array instanceof byte[] objects) {
                blocks.add(BlockFactory.ofObjects(objects, objects.length));
            } else if (array != null && BlockFactory.isArray(array)) {
                blocks.add(BlockFactory.of(array));
            } else {
                throw SerialException.malformed("large array of a value: " + array);
            }
        }
        return new WrittenValue(kinds[parts.kind()], parts.bytes(), blocks, parts.types());
    }

    /** Returns the parts of the value, to be sent; they are not to be changed. */
    public Parts parts() {
        List<Object> arrays = new ArrayList<>();
        boolean hasObjects = false;
        for (Block block : blocks) {
            Object array = requireNonNull(block.array());
            hasObjects = block.isObjects();
            arrays.add(hasObjects ? Arrays.copyOf((byte[]) array, (int) block.bytes()) : array);
        }
        return new Parts(kind.ordinal(), bytes, types, arrays, hasObjects);
    }

    /** How it was written. */
    public ValueKind kind() {
        return kind;
    }

    /** The memory that it takes, in bytes. */
    public long size() {
        return bytes.length + blocks.stream().mapToLong(Block::bytes).sum();
    }

    /** Returns its bytes without its large arrays; they are not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns copies of its large arrays. */
    public List<Block> blocks() {
        return copies(blocks);
    }

    /** Returns its large arrays, which are not to be changed. */
    public List<Block> sharedBlocks() {
        return blocks;
    }

    /** Whether large arrays follow its bytes. */
    public boolean hasBlocks() {
        return !blocks.isEmpty();
    }

    /**
     * Reads it.
     *
     * @param codec says which types are allowed
     * @param declared the type that it must have if it is an object
     * @throws SerialException if it cannot be read so
     */
    public @Nullable Object read(Codec codec, Declared declared, TimeLimit limit) {
        try (ValueReader in = reader(codec, declared, limit)) {
            Object value = in.take(kind);
            checkEnd(in);
            return value;
        }
    }

    /**
     * Reads it as the result of a method that returns a {@link Later.Value}: null if the method returned null.
     *
     * @param declared the type of the value that arrives later
     */
    public Later.@Nullable Value<?> readLater(Codec codec, Declared declared, TimeLimit limit) {
        try (ValueReader in = reader(codec, declared, limit)) {
            Later.Value<?> value = in.takeLater(kind);
            checkEnd(in);
            return value;
        }
    }

    private ValueReader reader(Codec codec, Declared declared, TimeLimit limit) {
        ByteBuf source = Unpooled.wrappedBuffer(bytes);
        return codec.reader(source, names, new ReceivedBlocks(blocks(), List.of()))
                .expecting(List.of(declared))
                .until(limit);
    }

    private static void checkEnd(ValueReader in) {
        if (!in.isAtEnd()) {
            throw SerialException.malformed("bytes after a value");
        }
    }

    private static List<Block> copies(List<Block> blocks) {
        return blocks.stream().map(Block::copy).toList();
    }
}
