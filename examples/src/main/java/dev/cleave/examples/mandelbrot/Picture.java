package dev.cleave.examples.mandelbrot;

import dev.cleave.node.Node;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.imageio.ImageIO;

/** The client: draws the picture, one call a row, as if the rows were computed here. */
public final class Picture {

    private static final int WARM_UP = 10;

    private final int[][] rows;
    private final double seconds;

    private Picture(int[][] rows, double seconds) {
        this.rows = rows;
        this.seconds = seconds;
    }

    /**
     * Takes the name of the service, the PNG file to write, and optionally a service to draw pictures from before the one
     * that counts. Several services, with commas between them, draw one picture after the other; with {@code +} between them
     * at the same time. The times taken go to the standard error, in the order of the services; all pictures have to be the same.
     */
    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        List<Picture> pictures = new ArrayList<>();
        ExecutorService painters = Executors.newCachedThreadPool();
        try (Node node = Node.connect()) {
            if (args.length > 2) {
                warmUp(node.lookup(args[2], Mandelbrot.class));
            }
            for (String together : args[0].split(",")) {
                List<Future<Picture>> drawn = new ArrayList<>();
                for (String service : together.split("\\+")) {
                    Mandelbrot mandelbrot = node.lookup(service, Mandelbrot.class);
                    if (args.length > 2) {
                        mandelbrot.row(0); // connects
                    }
                    drawn.add(painters.submit(() -> timed(mandelbrot)));
                }
                for (Future<Picture> picture : drawn) {
                    pictures.add(picture.get());
                }
            }
        } finally {
            painters.shutdown();
        }
        for (Picture picture : pictures) {
            System.err.printf("%d calls in %.6f s%n", Rows.SIZE, picture.seconds);
            if (!Arrays.deepEquals(picture.rows, pictures.get(0).rows)) {
                throw new IllegalStateException("the pictures of " + args[0] + " differ");
            }
        }
        write(pictures.get(0).rows, Path.of(args[1]));
    }

    private static Picture timed(Mandelbrot mandelbrot) {
        long begin = System.nanoTime();
        int[][] rows = draw(mandelbrot);
        return new Picture(rows, (System.nanoTime() - begin) / 1e9);
    }

    static int[][] draw(Mandelbrot mandelbrot) {
        int[][] picture = new int[Rows.SIZE][];
        for (int row = 0; row < Rows.SIZE; row++) {
            picture[row] = mandelbrot.row(row);
        }
        return picture;
    }

    private static void warmUp(Mandelbrot mandelbrot) {
        for (int i = 0; i < WARM_UP; i++) {
            draw(mandelbrot);
        }
    }

    static void write(int[][] picture, Path file) throws IOException {
        BufferedImage image = new BufferedImage(Rows.SIZE, Rows.SIZE, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < Rows.SIZE; y++) {
            for (int x = 0; x < Rows.SIZE; x++) {
                image.setRGB(x, y, color(picture[y][x]));
            }
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }

    private static int color(int steps) {
        if (steps == 0) {
            return 0x10_10_20;
        }
        double heat = Math.min(1, Math.log(steps) / Math.log(Rows.MOST_STEPS));
        int red = (int) (255 * heat);
        int green = (int) (255 * heat * heat);
        int blue = (int) (110 + 120 * (1 - heat));
        return red << 16 | green << 8 | blue;
    }
}
