package dev.cleave.broker.check;

import dev.cleave.config.ApplicationFile;
import dev.cleave.config.Bindings;
import dev.cleave.config.ClientBinding;
import dev.cleave.config.Nearest;
import dev.cleave.config.Rights;
import dev.cleave.config.ServiceBinding;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The check of an application file as a whole. */
public final class ApplicationCheck {

    private final Bindings bindings;
    private final ClassLookup classes;
    private final FindingList found;

    private ApplicationCheck(Bindings bindings, ClassLookup classes, FindingList found) {
        this.bindings = bindings;
        this.classes = classes;
        this.found = found;
    }

    /**
     * Checks a file.
     *
     * @param sites what the agent would do with the calls of the application
     * @return all mistakes and warnings, in the order of the files and of their lines
     */
    public static List<Finding> of(ApplicationFile file, ClassLookup classes, SiteVerdicts sites) {
        FindingList found = new FindingList(file);
        new ApplicationCheck(file.bindings(), classes, found).check(sites);
        return found.sorted();
    }

    private void check(SiteVerdicts sites) {
        each("codecs", bindings.codecs(), name -> ServiceCheck.codec(classes, name));
        each("allow", bindings.allow(), this::allowed);
        each("benign", bindings.trust().benign(), this::trusted);
        each("pure", bindings.trust().pure(), this::trusted);
        ClientBinding client = bindings.client();
        if (client != null) {
            String fact = main(client.main());
            if (!fact.isEmpty()) {
                found.mistake("client.main", fact);
            }
        }
        List<String> methods = new ArrayList<>(bindings.services().keySet());
        for (ServiceBinding service : bindings.services().values()) {
            ServiceCheck check = new ServiceCheck(service, bindings, classes, found);
            check.check();
            check.methodNames().forEach(name -> methods.add(service.name() + '.' + name));
            new Usefulness(service, check, found, sites).check();
        }
        rights(methods);
        bindings.security().keys().forEach((word, text) -> {
            if (!word.equals("identity") && !Files.exists(Path.of(text))) {
                found.mistake("security." + word, text + " does not exist (expected: what cleave keys writes)");
            }
        });
    }

    private void each(String key, List<String> names, UnaryOperator<String> check) {
        for (int i = 0; i < names.size(); i++) {
            String fact = check.apply(names.get(i));
            if (!fact.isEmpty()) {
                found.mistake(key + "[" + i + "]", fact);
            }
        }
    }

    private String allowed(String name) {
        if (name.endsWith(".*")) {
            String inner = name.substring(0, name.length() - 2);
            return classes.hasPackage(inner) ? "" : inner + ": no class of the application is in this package";
        }
        return classes.find(name) == null ? classes.missing(name) : "";
    }

    private String trusted(String name) {
        int dot = name.lastIndexOf('.');
        Class<?> type = dot < 0 ? null : classes.find(name.substring(0, dot));
        if (classes.find(name) != null || classes.hasPackage(name)) {
            return "";
        }
        if (type == null) {
            return classes.missing(name).replace("no such class", "no such package, class or method");
        }
        List<String> methods = Arrays.stream(type.getDeclaredMethods())
                .map(Method::getName)
                .distinct()
                .sorted()
                .toList();
        String method = name.substring(dot + 1);
        return methods.contains(method) ? "" : name + ": no such method " + Nearest.hint(method, methods);
    }

    private String main(String name) {
        Class<?> type = classes.find(name);
        if (type == null) {
            return classes.missing(name);
        }
        try {
            boolean runs =
                    Modifier.isStatic(type.getMethod("main", String[].class).getModifiers());
            return runs ? "" : name + ": its main is not static (expected: public static void main(String[]))";
        } catch (NoSuchMethodException | LinkageError e) {
            return name + ": no main (expected: public static void main(String[]))";
        }
    }

    private void rights(List<String> names) {
        List<Rights.Grant> grants = bindings.security().grants();
        for (int i = 0; i < grants.size(); i++) {
            String key = "security.rights[" + i + "].";
            patterns(key + "call", grants.get(i).call(), names);
            patterns(
                    key + "register",
                    grants.get(i).register(),
                    List.copyOf(bindings.services().keySet()));
        }
    }

    private void patterns(String key, List<Pattern> patterns, List<String> names) {
        for (int i = 0; i < patterns.size(); i++) {
            Pattern pattern = patterns.get(i);
            if (names.stream().noneMatch(name -> pattern.matcher(name).matches())) {
                String text =
                        pattern.pattern().replace("\\Q", "").replace("\\E", "").replace(".*", "*");
                String services = String.join(", ", bindings.services().keySet());
                String hint = Nearest.hint(text, names);
                found.warning(
                        key + "[" + i + "]",
                        text + ": no service or method of the file "
                                + (hint.startsWith("(did") ? hint : "(services: " + services + ")"));
            }
        }
    }
}
