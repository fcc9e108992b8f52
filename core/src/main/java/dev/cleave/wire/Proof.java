package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * PROOF: answers a {@link Challenge} by a token and a signature of its holder, which is good for this connection alone.
 *
 * <pre>
 *   header (kind 45) | string token | string signature
 * </pre>
 *
 * @param token the signed token
 * @param signature the signature in Base64 for URLs
 */
public record Proof(String token, String signature) implements Frame {

    /** Checks its components. */
    public Proof {
        requireNonNull(token, "token");
        requireNonNull(signature, "signature");
    }

    /** Reads a frame. */
    public static Proof read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.PROOF);
        Proof read = new Proof(in.string(), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.PROOF, 0, 0), out -> out.string(token)
                .string(signature));
    }

    /** Does not show them: readers of a log must not learn them. */
    @Override
    public String toString() {
        return "Proof";
    }
}
