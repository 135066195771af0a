#include <stdio.h>
#include <stdlib.h>

#define WIDTH 64
#define HEIGHT 48

struct image {
    int width, height;
    float pixels[HEIGHT][WIDTH];
};

static float clamp(float value, float low, float high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

static void fill(struct image *image, unsigned seed)
{
    image->width = WIDTH;
    image->height = HEIGHT;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            seed = seed * 1103515245u + 12345u;
            image->pixels[y][x] = (seed >> 16 & 255) / 255.0f;
        }
}

static float brightest(const struct image *image)
{
    float most = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            if (image->pixels[y][x] > most)
                most = image->pixels[y][x];
    return most;
}

static void smooth(struct image *from, struct image *to, int rounds)
{
    int x, y, rows = from->height - 1, columns = from->width - 1;
    float share = 1.0f / 9;

    void once(void)
    {
#pragma omp for simd collapse(2)
        for (y = 1; y < rows; y++)
            for (x = 1; x < columns; x++) {
                float sum = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        sum += from->pixels[y + dy][x + dx];
                to->pixels[y][x] = clamp(sum * share, 0, 1);
            }
    }

    while (rounds-- > 0) {
        once();
        struct image *other = from;
        from = to;
        to = other;
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 4;
    struct image *one = malloc(sizeof *one), *two = calloc(1, sizeof *two);
    if (!one || !two)
        return 1;
    fill(one, 42);
    printf("before: %f\n", brightest(one));
    smooth(one, two, rounds);
    printf("after:  %f\n", brightest(rounds % 2 ? two : one));
    free(one);
    free(two);
    return 0;
}
