package dev.cleave.processor;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.NoSuchFileException;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Filer;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import javax.tools.StandardLocation;

/**
 * Writes {@value InterfaceIndex#FILE}: which interfaces of a compilation are remote, and which are not. The agent
 * reads it once per loader and then need not open the class files of those that are not.
 *
 * <p>Runs by itself where compilers run the processors that they find on the class path; from JDK 23 on {@code javac}
 * asks for {@code -proc:full}. Without the index everything works as well, only the agent reads more class files. The
 * processor keeps the entries of an earlier compilation into the same folder for types that this one does not see, as
 * long as their class files exist.
 */
@SupportedAnnotationTypes("*")
public final class InterfaceIndexProcessor extends AbstractProcessor {

    private static final String REMOTE = "dev.cleave.Remote";
    private static final String RMI = "java.rmi.Remote";

    private final InterfaceIndex index = new InterfaceIndex();

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        for (TypeElement type : ElementFilter.typesIn(round.getRootElements())) {
            add(type);
        }
        if (round.processingOver() && !round.errorRaised()) {
            write();
        }
        return false;
    }

    private void add(TypeElement type) {
        String name = processingEnv.getElementUtils().getBinaryName(type).toString();
        if (type.getKind().isInterface()) {
            index.addInterface(name, isRemote(type));
        }
        for (Element member : type.getEnclosedElements()) {
            if (member instanceof TypeElement inner) {
                add(inner);
            }
        }
    }

    private static boolean isRemote(TypeElement type) {
        if (type.getQualifiedName().contentEquals(RMI)
                || type.getAnnotationMirrors().stream()
                        .anyMatch(
                                mirror -> mirror.getAnnotationType().toString().equals(REMOTE))) {
            return true;
        }
        for (TypeMirror above : type.getInterfaces()) {
            if (above instanceof DeclaredType declared
                    && declared.asElement() instanceof TypeElement parent
                    && isRemote(parent)) {
                return true;
            }
        }
        return false;
    }

    private void write() {
        Filer filer = processingEnv.getFiler();
        try {
            keepEarlier(filer);
            if (index.remote().isEmpty()) {
                return;
            }
            try (Writer out = filer.createResource(StandardLocation.CLASS_OUTPUT, "", InterfaceIndex.FILE)
                    .openWriter()) {
                out.write(index.text());
            }
        } catch (IOException e) {
            processingEnv
                    .getMessager()
                    .printMessage(
                            Diagnostic.Kind.WARNING,
                            InterfaceIndex.FILE + ": " + e + " (the agent will read class files instead)");
        }
    }

    /** Keeps the entries that a compilation of other sources into the same folder has written. */
    private void keepEarlier(Filer filer) throws IOException {
        String earlier;
        try (Reader in = filer.getResource(StandardLocation.CLASS_OUTPUT, "", InterfaceIndex.FILE)
                .openReader(true)) {
            StringBuilder text = new StringBuilder();
            char[] buffer = new char[4096];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                text.append(buffer, 0, n);
            }
            earlier = text.toString();
        } catch (NoSuchFileException | java.io.FileNotFoundException e) {
            return;
        }
        index.merge(earlier, name -> exists(filer, name));
    }

    private static boolean exists(Filer filer, String binaryName) {
        int dot = binaryName.lastIndexOf('.');
        String folder = dot < 0 ? "" : binaryName.substring(0, dot);
        String file = binaryName.substring(dot + 1) + ".class";
        try {
            filer.getResource(StandardLocation.CLASS_OUTPUT, folder, file)
                    .openInputStream()
                    .close();
            return true;
        } catch (NoSuchFileException | java.io.FileNotFoundException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
