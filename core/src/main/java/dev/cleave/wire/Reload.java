package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * RELOAD: asks a broker to apply an application file, and to pass it on to the nodes of the application, which apply it,
 * too; only to peers with {@linkplain FrameKind#feature its feature}. Each answers with {@link Reloaded}.
 *
 * <pre>
 *   header (kind 52, id = request) | u16 count | string part ...
 * </pre>
 *
 * @param id the request
 * @param text the file, with what it includes, as one YAML document
 */
public record Reload(long id, String text) implements Frame {

    private static final int PART = 16 << 10; // characters

    /** Checks its component. */
    public Reload {
        requireNonNull(text, "text");
    }

    /** Reads a frame. */
    public static Reload read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.RELOAD);
        Reload read = new Reload(in.id(), String.join("", in.strings()));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.RELOAD, 0, id), out -> out.strings(parts()));
    }

    private List<String> parts() {
        List<String> parts = new ArrayList<>();
        int begin = 0;
        while (begin < text.length()) {
            int end = Math.min(text.length(), begin + PART);
            if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
                end--;
            }
            parts.add(text.substring(begin, end));
            begin = end;
        }
        return parts;
    }
}
