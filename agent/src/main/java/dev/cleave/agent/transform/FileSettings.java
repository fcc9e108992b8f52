package dev.cleave.agent.transform;

import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSetting.Style;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.Reading;
import dev.cleave.agent.scan.TrustLevel;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The call styles of an application file, which the core reads. */
public final class FileSettings implements CallSettings {

    /**
     * Code that sets what the thread carries along with its calls: who vouches for a package around it, such as that of a
     * logging library, does not mean it.
     */
    private static final List<String> CONTEXTS = List.of(
            "org.slf4j.MDC.",
            "org.apache.logging.log4j.ThreadContext.",
            "org.jboss.logging.MDC.",
            "io.opentelemetry.context.",
            "io.opentelemetry.api.baggage.",
            "io.opentelemetry.api.trace.Span.makeCurrent.");

    private final BiFunction<String, String, String> styles;
    private final List<String> trusted;

    private FileSettings(BiFunction<String, String, String> styles, List<String> trusted) {
        this.styles = styles;
        this.trusted = trusted;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read or understood, or there is no core that could
     */
    @SuppressWarnings("unchecked") // the core's signature
    public static FileSettings read(String file, ClassLoader core) {
        try {
            Class<?> reader = Class.forName(CoreNames.STYLES_CLASS, true, core);
            Object styles = reader.getMethod("read", String.class).invoke(null, file);
            Object trusted = reader.getMethod("trusted", String.class).invoke(null, file);
            return new FileSettings((BiFunction<String, String, String>) styles, (List<String>) trusted);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw new IllegalArgumentException(cause == null ? file : String.valueOf(cause.getMessage()), cause);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException("config: " + file + ": cleave-core is not on the class path", e);
        }
    }

    @Override
    public @Nullable CallSetting of(String interfaceName, String method, CallSetting annotated) {
        String[] words = styles.apply(interfaceName, method).split(" ");
        Reading reading = reading(words[2], words[3], annotated.reading());
        Style style = words[0].equals("-") ? annotated.style() : Style.valueOf(words[0]);
        int otherwise = style == annotated.style() ? annotated.window() : CallSetting.AUTOMATIC_WINDOW;
        int window = words[1].equals("-") ? otherwise : Integer.parseInt(words[1]);
        boolean hasWindow = style == Style.ASYNC || style == Style.CHAINED || style == Style.RESTORES;
        return new CallSetting(
                style,
                hasWindow ? window : 1,
                words[4].equals("-") ? annotated.isSpeculative() : Boolean.parseBoolean(words[4]),
                words[5].equals("-") ? annotated.group() : words[5],
                reading,
                annotated.restored());
    }

    private static Reading reading(String kind, String age, Reading annotated) {
        Duration maxAge = age.equals("-") ? annotated.maxAge() : Duration.ofNanos(Long.parseLong(age));
        Reading.Kind said = kind.equals("-") ? annotated.kind() : Reading.Kind.valueOf(kind);
        return switch (said) {
            case NONE -> Reading.NONE;
            case PURE -> Reading.PURE;
            case READ_ONLY -> Reading.readOnly(maxAge);
        };
    }

    /** The first name that is a package, class or method with whole words holds; benign ones stand before pure ones. */
    @Override
    public TrustLevel trustIn(String owner, String method) {
        if (trusted.isEmpty()) {
            return TrustLevel.NONE;
        }
        String called = owner.replace('/', '.').replace('$', '.') + '.' + method + '.';
        for (String line : trusted) {
            int space = line.indexOf(' ');
            String name = line.substring(space + 1).replace('$', '.') + '.';
            if (called.startsWith(name)
                    && CONTEXTS.stream().noneMatch(each -> called.startsWith(each) && !name.startsWith(each))) {
                return TrustLevel.valueOf(line.substring(0, space));
            }
        }
        return TrustLevel.NONE;
    }
}
