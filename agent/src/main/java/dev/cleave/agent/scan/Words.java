package dev.cleave.agent.scan;

import dev.cleave.agent.scan.CallSetting.Style;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Opcodes;

/** The words about calls that one interface or method carries. */
final class Words {

    private static final String ASYNC = "Ldev/cleave/Async;";
    private static final String CHAINED = "Ldev/cleave/Chained;";
    private static final String ONE_WAY = "Ldev/cleave/OneWay;";
    private static final String PURE = "Ldev/cleave/Pure;";
    private static final String READ_ONLY = "Ldev/cleave/ReadOnly;";
    private static final String SYNC = "Ldev/cleave/Sync;";

    private @Nullable CallSetting style;
    private Reading reading = Reading.NONE;

    /** The call style with its particulars, or null if there is none. */
    @Nullable
    CallSetting style() {
        return style;
    }

    /** What is known of a method that changes nothing. */
    Reading reading() {
        return reading;
    }

    AnnotationVisitor annotation(String descriptor) {
        switch (descriptor) {
            case SYNC -> style = CallSetting.SYNC;
            case ASYNC -> style = CallSetting.async(CallSetting.AUTOMATIC_WINDOW);
            case CHAINED -> style = CallSetting.of(Style.CHAINED, CallSetting.AUTOMATIC_WINDOW);
            case ONE_WAY -> style = CallSetting.of(Style.ONE_WAY, 1);
            case PURE -> reading = Reading.PURE;
            case READ_ONLY -> reading = reading.kind() == Reading.Kind.PURE ? reading : Reading.readOnly(Duration.ZERO);
            default -> {}
        }
        return new AnnotationVisitor(Opcodes.ASM9) {
            @Override
            public void visit(String name, Object value) {
                switch (descriptor) {
                    case ASYNC, CHAINED -> particular(name, value);
                    case READ_ONLY -> age(name, value);
                    default -> {}
                }
            }
        };
    }

    private void particular(String name, Object value) {
        CallSetting set = style == null ? CallSetting.SYNC : style;
        if (name.equals("window") && value instanceof Integer window) {
            style = set.with(set.style(), window == 0 ? CallSetting.AUTOMATIC_WINDOW : Math.max(1, window));
        } else if (name.equals("speculative") && value instanceof Boolean speculative) {
            style = new CallSetting(set.style(), set.window(), speculative, set.group(), set.reading());
        } else if (name.equals("group") && value instanceof String group) {
            style = new CallSetting(set.style(), set.window(), set.isSpeculative(), group, set.reading());
        }
    }

    private void age(String name, Object value) {
        if (name.equals("maxAge") && value instanceof String text && reading.kind() == Reading.Kind.READ_ONLY) {
            reading = Reading.readOnly(Ages.read(text));
        }
    }
}
