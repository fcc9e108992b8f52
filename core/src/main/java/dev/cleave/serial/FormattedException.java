package dev.cleave.serial;

import dev.cleave.CallException.CallSite;
import dev.cleave.RemoteFailureException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Writes an exception in the format of an interface; one that cannot be written so, as class name and message. */
final class FormattedException {

    private static final byte ITSELF = 1;
    private static final byte TEXT = 2;
    private static final int MOST_TEXT = 8 << 10;

    private FormattedException() {}

    static void write(ObjectFormat format, TypePolicy policy, Passing passing, Throwable thrown, ByteBuf target) {
        byte[] bytes;
        try {
            ObjectFormat.Out out = format.writer(policy, passing, false);
            out.put(format.thrown(thrown));
            bytes = out.end();
        } catch (Exception | Error e) { // user code: fields and accessors of the exception
            String text = thrown.getClass().getName() + '\n' + e;
            target.writeByte(TEXT);
            target.writeCharSequence(text.substring(0, Math.min(text.length(), MOST_TEXT)), StandardCharsets.UTF_8);
            return;
        }
        target.writeByte(ITSELF).writeBytes(bytes);
    }

    static Throwable read(
            ObjectFormat format,
            TypePolicy policy,
            Passing passing,
            AnnouncedNames names,
            ByteBuf source,
            CallSite site) {
        byte form = source.readByte();
        byte[] bytes = new byte[source.readableBytes()];
        source.readBytes(bytes);
        if (form == TEXT) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.indexOf('\n');
            return new RemoteFailureException(text.substring(0, Math.max(end, 0)), text.substring(end + 1), text, site);
        }
        try {
            Object read = format.reader(bytes, policy, passing, names).take();
            if (form == ITSELF && read instanceof Throwable thrown) {
                return thrown;
            }
            throw SerialException.malformed("no exception (expected: one)");
        } catch (Exception | Error e) { // user code: readObject
            throw SerialException.of(e, SerialException.Reason.MALFORMED, "exception not readable");
        }
    }
}
